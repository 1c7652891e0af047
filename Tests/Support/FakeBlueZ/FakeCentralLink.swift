// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// The daemon's side of a link that a far central opened; on the fake's thread only.
final class FakeCentralLink {
    private static let characteristic = "org.bluez.GattCharacteristic1"
    private static let name = DBusValue.string("Far")

    unowned let daemon: FakeDaemon
    private let index: Int
    let path: String
    let address: PeerIdentifier
    /// The longest ATT packet.
    var unit: UInt16 = 185
    private(set) var isConnected = false
    private(set) var isPaired = false
    private(set) var isExported = false
    private var hasServices = false
    /// Whether its services were found once.
    private var isKnown = false
    private var subscribed: Set<AttributeID> = []
    private var received: [AttributeID: [Bytes]] = [:]
    private var changes: [ClosedRange<AttributeID>] = []
    private var changeWaiters: [(ClosedRange<AttributeID>) -> Void] = []
    private var waiters: [(attribute: AttributeID, count: Int, done: ([Bytes]) -> Void)] = []

    init(_ index: Int, daemon: FakeDaemon) {
        self.daemon = daemon
        self.index = index
        address = PeerIdentifier("C0:00:00:00:01:0\(index)")
        path = FakeDaemon.path(of: address)
    }

    /// The same central, as a daemon knows it that comes after another.
    convenience init(daemon: FakeDaemon, after former: FakeCentralLink) {
        self.init(former.index, daemon: daemon)
        (unit, isPaired, isKnown) = (former.unit, former.isPaired, former.isKnown)
    }

    // MARK: The link

    /// The daemon looks at the central's own services first: the generic ones, for which the fake has no objects. It
    /// signals nothing more about a connected central (`device_add_connection` in `src/device.c`).
    func connect() {
        if isConnected { return }
        isConnected = true
        if isExported { tell(["Connected": .bool(true)]) } else { export() }
        if !isKnown {
            isKnown = true
            tell(["Name": Self.name, "Alias": Self.name])
            tell(["UUIDs": .strings(FarDevice.genericServices)])
        }
        hasServices = true
        tell(["ServicesResolved": .bool(true)])
    }

    func export() {
        isExported = true
        try? daemon.link.export([device()], at: path)
    }

    private func device() -> ExportedInterface {
        var device = ExportedInterface("org.bluez.Device1")
        let constants: [(String, DBusValue)] = [
            ("Address", .string(address.text)), ("AddressType", .string("random")),
            ("Trusted", .bool(false)), ("Blocked", .bool(false)), ("LegacyPairing", .bool(false)),
            ("Adapter", .objectPath(FakeDaemon.adapterPath)),
        ]
        for (name, value) in constants { device.property(name, value.signature, get: { value }) }
        for name in ["Paired", "Bonded"] {
            device.property(name, "b", get: { [weak self] in .bool(self?.isPaired ?? false) })
        }
        device.method("Disconnect") { [weak self] call in
            self?.daemon.serve(call) {
                guard let self, self.isConnected else { return call.fail(FakeFailure("NotConnected", "Not Connected")) }
                self.disconnect()
                call.reply()
            }
        }
        device.property("Connected", "b", get: { [weak self] in .bool(self?.isConnected ?? false) })
        device.property("ServicesResolved", "b", get: { [weak self] in .bool(self?.hasServices ?? false) })
        // It reads the name from the central.
        let dashed = address.text.map { $0 == ":" ? "-" : String($0) }.joined()
        device.property("Name", "s", get: { [weak self] in self?.isKnown == true ? Self.name : nil })
        device.property("Alias", "s", get: { [weak self] in self?.isKnown == true ? Self.name : .string(dashed) })
        device.property(
            "UUIDs", "as", get: { [weak self] in .strings(self?.isKnown == true ? FarDevice.genericServices : []) })
        return device
    }

    func pair(_ done: @escaping @Sendable (Bool) -> Void) {
        guard isConnected else { return done(false) }
        // The kernel ends a link whose pairing has stood still for half a minute.
        let limit = daemon.after(.seconds(30)) { [index] daemon in
            daemon.agents.cancel()
            daemon.farCentral(index).disconnect()
        }
        daemon.agents.authorize(path, of: nil) { [weak self] accepts in
            limit.cancel()
            if accepts, let self {
                isPaired = true
                tell(["Bonded": .bool(true), "Paired": .bool(true)])
            }
            done(accepts)
        }
    }

    func disconnect() {
        guard isConnected else { return }
        isConnected = false
        hasServices = false
        tell(["Connected": .bool(false), "ServicesResolved": .bool(false)])
        changes = []
        // The subscriptions of a bonded central stay.
        if isPaired { return }
        for attribute in subscribed { end(attribute) { _ in } }
        subscribed = []
    }

    private func tell(_ changed: [String: DBusValue]) { daemon.emit(path, "org.bluez.Device1", changed) }

    func options(offset: Int = 0) -> [String: DBusValue] {
        let options: [String: DBusValue] = [
            "device": .objectPath(path), "link": .string("LE"), "mtu": .uint16(unit),
        ]
        return offset == 0 ? options : options.merging(["offset": .uint16(UInt16(offset))]) { $1 }
    }

    // MARK: Service Changed

    /// Applications came or went. The daemon indicates it to every central that is connected and wants it, as these do,
    /// once for each service.
    func servicesChanged(_ handles: ClosedRange<AttributeID>) {
        guard isConnected else { return }
        if changeWaiters.isEmpty { changes.append(handles) } else { changeWaiters.removeFirst()(handles) }
    }

    func takeChange(_ done: @escaping (ClosedRange<AttributeID>) -> Void) {
        if changes.isEmpty { changeWaiters.append(done) } else { done(changes.removeFirst()) }
    }

    // MARK: Subscriptions

    func subscribe(to attribute: AttributeID, _ done: @escaping (Bool) -> Void) {
        guard let object = daemon.server.object(attribute), object.subscriptionDenial(isPaired: isPaired) == nil else {
            return done(false)
        }
        // A repeated subscription changes nothing, so the program is not called.
        guard subscribed.insert(attribute).inserted else { return done(true) }
        object.subscribers += 1
        guard object.subscribers == 1 else { return done(true) }
        if object.offersNotifySocket { return acquire(object, done) }
        daemon.ask(object.client, object.path, Self.characteristic, "StartNotify") { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }

    private func acquire(_ object: FakeObject, _ done: @escaping (Bool) -> Void) {
        let daemon = daemon
        daemon.ask(object.client, object.path, Self.characteristic, "AcquireNotify", [.properties(options())]) {
            result in
            guard case .success(let message) = result, let descriptor = try? message.takeDescriptor(at: 0) else {
                return done(false)
            }
            object.notifySocket = try? PacketReader(
                descriptor, on: daemon.loop,
                onPacket: { packet in
                    for central in daemon.farCentrals { central.valueChanged(Bytes(packet), of: object) }
                }, onClose: { _ in object.notifySocket = nil })
            done(object.notifySocket != nil)
        }
    }

    func unsubscribe(from attribute: AttributeID, _ done: @escaping (Bool) -> Void) {
        guard subscribed.remove(attribute) != nil else { return done(false) }
        end(attribute, done)
    }

    private func end(_ attribute: AttributeID, _ done: @escaping (Bool) -> Void) {
        guard let object = daemon.server.object(attribute), object.subscribers > 0 else { return done(false) }
        object.subscribers -= 1
        guard object.subscribers == 0 else { return done(true) }
        if object.offersNotifySocket {
            object.closeNotifySocket()
            return done(true)
        }
        daemon.ask(object.client, object.path, Self.characteristic, "StopNotify") { _ in done(true) }
    }

    /// A value was sent to all subscribed centrals.
    func valueChanged(_ value: Bytes, of object: FakeObject) {
        guard isConnected, subscribed.contains(object.id) else { return }
        received[object.id, default: []].append(value)
        if !object.offers("notify"), object.offers("indicate") {
            daemon.ask(object.client, object.path, Self.characteristic, "Confirm") { _ in }
        }
        serve()
    }

    func take(_ attribute: AttributeID, _ count: Int, _ done: @escaping ([Bytes]) -> Void) {
        waiters.append((attribute, count, done))
        serve()
    }

    private func serve() {
        let ready = waiters.filter { (received[$0.attribute]?.count ?? 0) >= $0.count }
        waiters.removeAll { (received[$0.attribute]?.count ?? 0) >= $0.count }
        for waiter in ready { waiter.done(received.removeValue(forKey: waiter.attribute) ?? []) }
    }
}

extension FakeDaemon {
    /// A far central by its index.
    func farCentral(_ index: Int) -> FakeCentralLink {
        if let central = farCentralsByIndex[index] { return central }
        let made = FakeCentralLink(index, daemon: self)
        farCentralsByIndex[index] = made
        return made
    }

    var farCentrals: [FakeCentralLink] { Array(farCentralsByIndex.values) }
}
#endif
