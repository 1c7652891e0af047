#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

/// The daemon's side of a link that a far central opened; on the fake's thread only.
final class FakeCentralLink {
    private static let characteristic = "org.bluez.GattCharacteristic1"
    private static let unit: UInt16 = 517

    unowned let daemon: FakeDaemon
    let path: String
    private let address: String
    private(set) var isConnected = false
    private var isPaired = false
    private var isExported = false
    private var subscribed: Set<AttributeID> = []
    private var received: [AttributeID: [Bytes]] = [:]
    private var changes: [ClosedRange<AttributeID>] = []
    private var changeWaiters: [(ClosedRange<AttributeID>) -> Void] = []
    private var waiters: [(attribute: AttributeID, count: Int, done: ([Bytes]) -> Void)] = []

    init(_ index: Int, daemon: FakeDaemon) {
        self.daemon = daemon
        address = "C0:00:00:00:01:0\(index)"
        path = FakeDaemon.adapterPath + "/dev_" + address.map { $0 == ":" ? "_" : String($0) }.joined()
    }

    // MARK: The link

    func connect() {
        isConnected = true
        if !isExported {
            isExported = true
            var device = ExportedInterface("org.bluez.Device1")
            let address = address
            device.property("Address", "s", get: { .string(address) })
            device.property("AddressType", "s", get: { .string("random") })
            device.property("Connected", "b", get: { [weak self] in .bool(self?.isConnected ?? false) })
            device.property("ServicesResolved", "b", get: { .bool(false) })
            device.property("Adapter", "o", get: { .objectPath(FakeDaemon.adapterPath) })
            try? daemon.link.export([device], at: path)
        } else {
            tell(true)
        }
    }

    func pair(_ done: @escaping @Sendable (Bool) -> Void) {
        guard isConnected else { return done(false) }
        daemon.agents.authorize(path, of: nil) { [weak self] accepts in
            if accepts { self?.isPaired = true }
            done(accepts)
        }
    }

    func disconnect() {
        guard isConnected else { return }
        isConnected = false
        tell(false)
        for attribute in subscribed { end(attribute) { _ in } }
        subscribed = []
        changes = []
    }

    private func tell(_ isConnected: Bool) {
        daemon.emit(path, "org.bluez.Device1", ["Connected": .bool(isConnected), "ServicesResolved": .bool(false)])
    }

    private var options: [String: DBusValue] {
        ["device": .objectPath(path), "link": .string("LE"), "mtu": .uint16(Self.unit)]
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

    // MARK: Values

    func read(_ attribute: AttributeID, _ done: @escaping (Result<Bytes, ATTError>) -> Void) {
        guard let object = daemon.server.object(attribute) else { return done(.failure(.invalidHandle)) }
        guard object.offers("read") else { return done(.failure(.readNotPermitted)) }
        if let error = object.denial("read", isPaired: isPaired) { return done(.failure(error)) }
        daemon.ask(object.client, object.path, object.interface, "ReadValue", [.properties(options)]) { result in
            switch result {
            case .success(let message):
                let value = (try? message.body(expecting: "ay"))?.first?.bytesValue ?? []
                done(.success(Bytes(value.prefix(512))))
            case .failure(let error): done(.failure(ATTError(error, denied: .readNotPermitted)))
            }
        }
    }

    func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool, _ done: @escaping (Result<Void, ATTError>) -> Void
    ) {
        guard let object = daemon.server.object(attribute) else { return done(.failure(.invalidHandle)) }
        let takesCommands = object.flags.contains("write-without-response")
        if isCommand ? !takesCommands : !object.offers("write") {
            return isCommand ? done(.success(())) : done(.failure(.writeNotPermitted))
        }
        if let error = object.denial("write", isPaired: isPaired) {
            return isCommand ? done(.success(())) : done(.failure(error))
        }
        // With write-without-response the daemon asks for no answer, whichever way the value came.
        if takesCommands {
            daemon.tell(
                object.client, object.path, object.interface, "WriteValue",
                [.bytes(Array(value)), .properties(options)])
            return done(.success(()))
        }
        daemon.ask(
            object.client, object.path, object.interface, "WriteValue", [.bytes(Array(value)), .properties(options)]
        ) { result in
            switch result {
            case .success: done(.success(()))
            case .failure(let error): done(.failure(ATTError(error, denied: .writeNotPermitted)))
            }
        }
    }

    // MARK: Subscriptions

    func subscribe(to attribute: AttributeID, _ done: @escaping (Bool) -> Void) {
        guard let object = daemon.server.object(attribute), object.subscriptionDenial(isPaired: isPaired) == nil,
            subscribed.insert(attribute).inserted
        else { return done(false) }
        object.subscribers += 1
        guard object.subscribers == 1 else { return done(true) }
        if object.offersSocket { return acquire(object, done) }
        daemon.ask(object.client, object.path, Self.characteristic, "StartNotify") { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }

    private func acquire(_ object: FakeObject, _ done: @escaping (Bool) -> Void) {
        let daemon = daemon
        daemon.ask(object.client, object.path, Self.characteristic, "AcquireNotify", [.properties(options)]) { result in
            guard case .success(let message) = result, let descriptor = try? message.takeDescriptor(at: 0) else {
                return done(false)
            }
            object.socket = try? PacketReader(
                descriptor, on: daemon.loop,
                onPacket: { packet in
                    for central in daemon.farCentrals { central.valueChanged(Bytes(packet), of: object) }
                }, onClose: { _ in object.socket = nil })
            done(object.socket != nil)
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
        if object.offersSocket {
            object.closeSocket()
            return done(true)
        }
        daemon.ask(object.client, object.path, Self.characteristic, "StopNotify") { _ in done(true) }
    }

    /// A value went out to all who are subscribed.
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

extension ATTError {
    /// What the daemon makes of a program's error (`serve-errors.trace`).
    init(_ error: DBusError, denied: ATTError) {
        guard case .remote(let name, let text) = error else {
            self = .unlikelyError
            return
        }
        switch name {
        case "org.bluez.Error.NotPermitted": self = denied
        case "org.bluez.Error.NotSupported": self = .requestNotSupported
        case "org.bluez.Error.NotAuthorized": self = .insufficientAuthorization
        case "org.bluez.Error.InvalidOffset": self = .invalidOffset
        case "org.bluez.Error.InvalidValueLength": self = .invalidAttributeValueLength
        case "org.bluez.Error.InProgress": self = .procedureAlreadyInProgress
        case "org.bluez.Error.Failed":
            let code = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : nil
            self = code.flatMap { (0x80...0x9F).contains($0) ? ATTError(rawValue: $0) : nil } ?? .unlikelyError
        default: self = .unlikelyError
        }
    }
}

extension FakeDaemon {
    /// Calls a program's object and takes the answer.
    func ask(
        _ client: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        reply: @escaping (Result<Message, DBusError>) -> Void
    ) {
        do throws(DBusError) {
            let call = try Message.methodCall(to: client, path: path, interface: interface, member: member, body: body)
            link.call(call, reply: reply)
        } catch {
            reply(.failure(error))
        }
    }

    /// Calls a program's object without wanting an answer.
    func tell(_ client: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue]) {
        guard
            let call = try? Message.methodCall(
                to: client, path: path, interface: interface, member: member, body: body, expectsReply: false)
        else { return }
        try? link.send(call)
    }

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
