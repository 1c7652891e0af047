#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import DBus

/// Device1: the daemon's view of one far device, from its first sighting (`scan.trace`, `connect*.trace`,
/// `peer-disconnects.trace`); on the fake's thread only.
final class FakeDevice {
    static let interface = "org.bluez.Device1"

    let address: PeripheralIdentifier
    let path: String
    unowned let daemon: FakeDaemon
    private(set) var isConnected = false
    private(set) var isResolved = false
    private var rssi: Int?
    private var pendingConnect: MethodCall?
    private var pendingPair: MethodCall?
    private var securing: [() -> Void] = []
    /// Whether pairing was refused, after which the daemon sends nothing more over the link.
    private(set) var isStalled = false
    private(set) var gatt: FakeGATT?
    private var batteryLevel: UInt8 = 0
    private var resolvedServices: [String]?

    init(_ far: FarDevice, daemon: FakeDaemon) {
        address = far.address
        self.daemon = daemon
        path = FakeDaemon.adapterPath + "/dev_" + far.address.text.map { $0 == ":" ? "_" : String($0) }.joined()
        rssi = far.rssi
    }

    /// The device at the far end; nil once the test made another of it.
    var far: FarDevice? { daemon.air.device(at: address) }

    // MARK: Objects

    func export() {
        var device = ExportedInterface(Self.interface)
        for name in FakeDevice.propertyNames {
            device.property(name.name, name.signature, get: { [weak self] in self?.properties[name.name] })
        }
        method("Connect", on: &device) { $0.connect($1) }
        method("Disconnect", on: &device) { $0.disconnect($1) }
        method("Pair", on: &device) { $0.pair($1) }
        method("CancelPairing", on: &device) { $0.cancelPairing($1) }
        try? daemon.link.export([device], at: path)
    }

    func unexport() {
        gatt?.unexport()
        gatt = nil
        daemon.link.unexport(at: path)
    }

    private func method(
        _ name: String, on device: inout ExportedInterface, _ body: @escaping (FakeDevice, MethodCall) -> Void
    ) {
        device.method(name) { [weak self] call in
            guard let self else { return call.fail("org.freedesktop.DBus.Error.UnknownObject", "gone") }
            if !daemon.isScripted(call) { body(self, call) }
        }
    }

    func changed(_ properties: [String: DBusValue], invalidated: [String] = []) {
        daemon.emit(path, Self.interface, properties, invalidated: invalidated)
    }

    private var properties: [String: DBusValue] {
        var all = far?.advertisedProperties ?? [:]
        all["Address"] = .string(address.text)
        all["AddressType"] = .string("random")
        all["Paired"] = .bool(daemon.bonded.contains(address))
        all["Bonded"] = .bool(daemon.bonded.contains(address))
        all["Trusted"] = .bool(false)
        all["Blocked"] = .bool(false)
        all["LegacyPairing"] = .bool(false)
        all["Connected"] = .bool(isConnected)
        all["ServicesResolved"] = .bool(isResolved)
        all["Adapter"] = .objectPath(FakeDaemon.adapterPath)
        if let resolvedServices { all["UUIDs"] = .strings(resolvedServices) }
        if let rssi { all["RSSI"] = .int16(Int16(rssi)) } else { all["TxPower"] = nil }
        return all
    }

    private static let propertyNames: [(name: String, signature: String)] = [
        ("Address", "s"), ("AddressType", "s"), ("Name", "s"), ("Alias", "s"), ("Appearance", "q"), ("Paired", "b"),
        ("Bonded", "b"), ("Trusted", "b"), ("Blocked", "b"), ("LegacyPairing", "b"), ("RSSI", "n"), ("TxPower", "n"),
        ("Connected", "b"), ("UUIDs", "as"), ("Adapter", "o"), ("ManufacturerData", "a{qv}"), ("ServiceData", "a{sv}"),
        ("ServicesResolved", "b"), ("AdvertisingFlags", "ay"),
    ]

    // MARK: Sightings

    /// A packet was heard: with every packet asked for, strength and data are told again though they are the same.
    func sighted(isNew: Bool, everyPacket: Bool) {
        guard let far else { return }
        let advertised = far.advertisedProperties
        var told: [String: DBusValue] = [:]
        if everyPacket || isNew || abs((rssi ?? -999) - far.rssi) >= 8 { told["RSSI"] = .int16(Int16(far.rssi)) }
        for name in ["ManufacturerData", "ServiceData"] where everyPacket { told[name] = advertised[name] }
        for (name, value) in advertised where lastAdvertised[name] != value && name != "UUIDs" { told[name] = value }
        if resolvedServices == nil, lastAdvertised["UUIDs"] != advertised["UUIDs"] {
            told["UUIDs"] = advertised["UUIDs"]
        }
        lastAdvertised = advertised
        if told["RSSI"] != nil { rssi = far.rssi }
        if !told.isEmpty { changed(told) }
    }

    private lazy var lastAdvertised = far?.advertisedProperties ?? [:]

    func forgetSighting() {
        guard rssi != nil else { return }
        rssi = nil
        changed([:], invalidated: (far?.description.advertisement.txPower == nil ? [] : ["TxPower"]) + ["RSSI"])
    }

    // MARK: Connecting

    private func connect(_ call: MethodCall) {
        guard daemon.isPowered else { return call.fail(FakeFailure("Failed", "Input/output error")) }
        if isConnected { return call.reply() }
        guard pendingConnect == nil else { return call.fail(FakeFailure("Failed", "Operation already in progress")) }
        pendingConnect = call
        attempt()
    }

    /// Takes the first packet that is heard for the moment to connect.
    private func attempt() {
        guard let call = pendingConnect, let far, far.isHeard else { return }
        pendingConnect = nil
        isConnected = true
        changed(["Connected": .bool(true)])
        if far.refusesConnections {
            // `connect-refused.trace`: the link seems to stand for a moment.
            call.fail(FakeFailure("Failed", "le-connection-abort-by-local"))
            isConnected = false
            return changed(["Connected": .bool(false)])
        }
        far.onDisconnect = { [weak self] in self?.linkLost() }
        far.onNotify = { [weak self] in self?.valueNotified($0, $1) }
        far.onServicesChanged = { [weak self] _ in self?.servicesChanged() }
        call.reply()
        // The change of this makes the device resolve, which is after the reply.
        far.isConnected = true
    }

    /// Tells what is in the peer's database: from the cache at once when the device was connected before.
    private func resolve() {
        guard isConnected, !isResolved, let far, far.isReachable else { return }
        isResolved = true
        let services = ["1800", "1801"] + far.services.map { $0.uuid.fullDescription }
        var told: [String: DBusValue] = ["ServicesResolved": .bool(true)]
        if resolvedServices == nil {
            resolvedServices = services.map { $0.count == 4 ? "0000\($0)-0000-1000-8000-00805f9b34fb" : $0 }
            told["UUIDs"] = .strings(resolvedServices ?? [])
        }
        if daemon.resolvesBeforeObjects { changed(told) }
        if gatt == nil, !daemon.hidesObjects {
            gatt = FakeGATT(of: self, services: far.services)
            gatt?.export()
        }
        gatt?.rearm()
        if !daemon.resolvesBeforeObjects { changed(told) }
        exportBattery(far)
    }

    private func exportBattery(_ far: FarDevice) {
        guard let service = far.services.firstIndex(where: { $0.uuid == "180F" }),
            !far.services[service].characteristics.isEmpty
        else { return }
        let place = PeerAttribute(service: service, characteristic: 0)
        var battery = ExportedInterface("org.bluez.Battery1")
        batteryLevel = far.attribute(place).value.first ?? 0
        battery.property("Percentage", "y", get: { [weak self] in .byte(self?.batteryLevel ?? 0) })
        battery.property("Source", "s", get: { .string("GATT Battery Service") })
        try? daemon.link.export([battery], at: path)
        far.setSubscribed(place, true)
    }

    private func valueNotified(_ place: PeerAttribute, _ value: Bytes) {
        gatt?.valueNotified(place, value)
        guard far?.services[place.service].uuid == "180F", let level = value.first else { return }
        batteryLevel = level
        daemon.emit(path, "org.bluez.Battery1", ["Percentage": .byte(level)])
    }

    /// `pair-explicitly.trace`; on a device that is bonded it is never answered (`pair.trace`).
    private func pair(_ call: MethodCall) {
        guard pendingPair == nil else { return call.fail(.inProgress) }
        pendingPair = call
        guard !daemon.bonded.contains(address) else { return }
        guard let pairing = far?.description.pairing, pairing.accepts else { return refusedByPeer() }
        daemon.agents.authorize(path, of: call.sender, peer: pairing.capability) { [weak self] accepts in
            self?.paired(accepts)
        }
    }

    /// `pair-explicitly-refused-by-peer.trace`: the link goes a little later.
    private func refusedByPeer() {
        pendingPair?.fail(FakeFailure("AuthenticationFailed", "Authentication Failed"))
        pendingPair = nil
        linkLost()
    }

    /// An attribute needs encryption, which takes keys: pairs by itself (`pair.trace`). A peer that refuses costs the link
    /// (`pair-refused-by-peer.trace`); after a refusal of the agent's nothing that is asked over the link is answered
    /// (`pair-refused.trace`).
    func secure(_ then: @escaping () -> Void) {
        if daemon.bonded.contains(address) { return then() }
        guard let pairing = far?.description.pairing, pairing.accepts else { return linkLost() }
        securing.append(then)
        guard securing.count == 1 else { return }
        daemon.agents.authorize(path, of: nil, peer: pairing.capability) { [weak self] accepts in
            guard let self, isConnected else { return }
            guard accepts else { return isStalled = true }
            bonded()
            let waiting = securing
            securing = []
            for then in waiting { then() }
        }
    }

    private func bonded() {
        daemon.bonded.insert(address)
        changed(["Bonded": .bool(true), "Paired": .bool(true)])
    }

    private func paired(_ accepts: Bool) {
        guard let call = pendingPair else { return }
        pendingPair = nil
        guard accepts, isConnected else {
            return call.fail(FakeFailure("AuthenticationFailed", "Authentication Failed"))
        }
        bonded()
        call.reply()
    }

    private func cancelPairing(_ call: MethodCall) {
        guard pendingPair != nil else { return call.fail(FakeFailure("DoesNotExist", "Does Not Exist")) }
        daemon.agents.cancel()
        endPairing()
        call.reply()
    }

    private func endPairing() {
        pendingPair?.fail(FakeFailure("AuthenticationCanceled", "Authentication Canceled"))
        pendingPair = nil
    }

    private func disconnect(_ call: MethodCall) {
        if let pending = pendingConnect {
            // `connect-cancelled.trace`: the object, which nothing was ever connected through, goes too.
            pendingConnect = nil
            pending.fail(FakeFailure("Failed", "br-connection-canceled"))
            call.reply()
            if resolvedServices == nil { daemon.remove(self) }
            return
        }
        guard isConnected else { return call.fail(FakeFailure("NotConnected", "Not Connected")) }
        disconnectLink { call.reply() }
    }

    /// Ends the link from this side; `beforeDown` runs where the daemon answers, between the two signals.
    func disconnectLink(_ beforeDown: () -> Void) {
        guard isConnected else { return beforeDown() }
        if isResolved { changed(["ServicesResolved": .bool(false)]) }
        beforeDown()
        changed(["Connected": .bool(false)])
        endLink()
    }

    /// The link was lost: both properties change in one signal, and what was asked over it fails after it.
    func linkLost() {
        if let pending = pendingConnect {
            pendingConnect = nil
            pending.fail(FakeFailure("Failed", "le-connection-abort-by-local"))
        }
        guard isConnected else { return }
        var told: [String: DBusValue] = ["Connected": .bool(false)]
        if isResolved { told["ServicesResolved"] = .bool(false) }
        changed(told)
        endLink()
    }

    private func endLink() {
        isConnected = false
        isResolved = false
        isStalled = false
        securing = []
        endPairing()
        gatt?.linkLost()
        far?.endLink()
    }

    /// The attempt that was out of reach ends as the controller ends it after its 40 s (`connect-unreachable.trace`).
    func giveUpConnecting() {
        guard let pending = pendingConnect else { return }
        pendingConnect = nil
        pending.fail(FakeFailure("Failed", "le-connection-abort-by-local"))
        daemon.remove(self)
    }

    func farChanged() {
        guard let far else { return linkLost() }
        if isConnected, !far.isInRange { return linkLost() }
        attempt()
        if isConnected, !isResolved { resolve() }
    }

    /// The database changed while connected (`service-changed.trace`): objects go and come, the device stays resolved.
    private func servicesChanged() {
        guard isResolved, let far else { return }
        gatt?.unexport()
        resolvedServices =
            (["1800", "1801"].map { "0000\($0)-0000-1000-8000-00805f9b34fb" })
            + far.services.map { $0.uuid.fullDescription }
        changed(["UUIDs": .strings(resolvedServices ?? [])])
        gatt = FakeGATT(of: self, services: far.services)
        gatt?.export()
    }
}
#endif
