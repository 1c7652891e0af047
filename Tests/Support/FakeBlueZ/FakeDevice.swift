// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// Device1: the daemon's view of one far device, from its first sighting (`scan.trace`, `connect*.trace`,
/// `peer-disconnects.trace`); on the fake's thread only.
final class FakeDevice {
    static let interface = "org.bluez.Device1"

    let address: PeerIdentifier
    let path: String
    unowned let daemon: FakeDaemon
    private(set) var isConnected = false
    private(set) var isResolved = false
    private var rssi: Int?
    private(set) var pendingConnect: MethodCall?
    private var connectTimer: ClockTimer?
    /// Whether the kernel has forgotten the attempt that is under way.
    var isForgottenByKernel = false
    var forgetTimer: ClockTimer?
    /// The time when the device was last heard or connected.
    var lastMet = Duration.zero
    /// The requests over the link, in their order; the first is under way.
    var requests: [Request] = []
    var pairing = Pairing()
    /// Whether the link comes from an earlier daemon; it is not used and ends soon (`daemon-killed-during-read.trace`).
    private var isLeftOver = false
    private(set) var gatt: FakeGATT?
    private var batteryLevel: UInt8 = 0
    private(set) var resolvedServices: [String]?
    /// Whether the daemon has heard it, rather than having it from its store.
    private var isHeard: Bool
    /// Whether a scan response was asked for, as by a discovery.
    private var hasHeardResponse: Bool

    /// A device that was heard, or one that the daemon knows from its store.
    init(_ far: FarDevice, daemon: FakeDaemon, stored: [String]? = nil, isConnected: Bool = false) {
        address = far.address
        self.daemon = daemon
        path = FakeDaemon.path(of: far.address)
        rssi = stored == nil ? far.rssi : nil
        isHeard = stored == nil
        hasHeardResponse = stored != nil || !daemon.sessions.isEmpty
        resolvedServices = stored
        self.isConnected = isConnected
        isLeftOver = isConnected
        guard isConnected else { return }
        connectTimer = after(.seconds(2)) { $0.linkLost() }
        far.onDisconnect = { [weak self] in self?.linkLost() }
    }

    /// Whether nothing was ever connected through the object: the daemon drops it as soon as it can.
    var isTemporary: Bool { resolvedServices == nil }

    /// The device at the far end; nil once the test made another of it.
    var far: FarDevice? { daemon.air.device(at: address) }

    // MARK: Objects

    func export() {
        var device = ExportedInterface(Self.interface)
        for name in FakeDevice.propertyNames {
            device.property(name.name, name.signature, get: { [weak self] in self?.properties[name.name] })
        }
        addBearer(to: &device)
        method("Connect", on: &device) { $0.connect($1) }
        method("Disconnect", on: &device) { $0.disconnect($1) }
        method("Pair", on: &device) { $0.pair($1) }
        method("CancelPairing", on: &device) { $0.cancelPairing($1) }
        // Changes from now on are told.
        _ = (lastAdvertised, heardUUIDs)
        try? daemon.link.export([device], at: path)
        if !isConnected { forgetSoon() }
    }

    /// Never answers the pending requests to the device (`remove-during-read.trace`,
    /// `power-off-while-connecting.trace`).
    func abandonRequests() {
        daemon.abandon([pendingConnect].compactMap { $0 } + (gatt?.takePending() ?? []))
        pendingConnect = nil
        connectTimer?.cancel()
    }

    func unexport() {
        abandonRequests()
        if isConnected { endLink() }
        forgetTimer?.cancel()
        gatt?.unexport()
        gatt = nil
        daemon.link.unexport(at: path)
    }

    private func method(
        _ name: String, on device: inout ExportedInterface, _ body: @escaping (FakeDevice, MethodCall) -> Void
    ) {
        device.method(name) { [weak self] call in
            guard let self else { return call.fail(.gone) }
            daemon.serve(call) { [weak self] in
                // It may have been removed while the call was held back.
                guard let self, daemon.devices[address] === self else { return call.fail(.gone) }
                body(self, call)
            }
        }
    }

    func changed(_ properties: [String: DBusValue], invalidated: [String] = []) {
        daemon.emit(path, Self.interface, properties, invalidated: invalidated)
    }

    private var properties: [String: DBusValue] {
        var all = knownProperties
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
        all["UUIDs"] = .strings(resolvedServices ?? heardUUIDs)
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

    /// The known advertised properties: for a device from the store only the names, until it is heard.
    private var knownProperties: [String: DBusValue] {
        let all = far?.advertisedProperties(withResponse: hasHeardResponse) ?? [:]
        return isHeard ? all : all.filter { ["Name", "Alias", "Appearance", "UUIDs"].contains($0.key) }
    }

    /// A packet was heard. If every packet was asked for, signal strength and data are signalled again even if they are
    /// the same.
    func sighted(isNew: Bool, everyPacket: Bool) {
        guard let far else { return }
        lastMet = daemon.clock.elapsed
        let known = lastAdvertised
        let knownUUIDs = heardUUIDs
        isHeard = true
        if !daemon.sessions.isEmpty { hasHeardResponse = true }
        let advertised = far.advertisedProperties(withResponse: hasHeardResponse)
        var told: [String: DBusValue] = [:]
        if everyPacket || isNew || abs((rssi ?? -999) - far.rssi) >= 8 { told["RSSI"] = .int16(Int16(far.rssi)) }
        for name in ["ManufacturerData", "ServiceData"] where everyPacket { told[name] = advertised[name] }
        for (name, value) in advertised where known[name] != value && name != "UUIDs" { told[name] = value }
        let new = far.advertisedServiceUUIDs(withResponse: hasHeardResponse).filter { !knownUUIDs.contains($0) }
        heardUUIDs += new
        if resolvedServices == nil, !new.isEmpty { told["UUIDs"] = .strings(heardUUIDs) }
        lastAdvertised = advertised
        if told["RSSI"] != nil { rssi = far.rssi }
        if !told.isEmpty { changed(told) }
    }

    private lazy var lastAdvertised = knownProperties
    /// Advertised services are added and never removed (`device_add_eir_uuids` of BlueZ 5.66).
    private lazy var heardUUIDs = far?.advertisedServiceUUIDs(withResponse: hasHeardResponse) ?? []

    func forgetSighting() {
        guard rssi != nil else { return }
        rssi = nil
        changed([:], invalidated: (far?.advertisement.data.txPower == nil ? [] : ["TxPower"]) + ["RSSI"])
    }

    // MARK: Connecting

    private func connect(_ call: MethodCall) {
        guard daemon.isPowered else { return call.fail(FakeFailure("Failed", "Input/output error")) }
        if isConnected { return call.reply() }
        guard pendingConnect == nil else { return call.fail(FakeFailure("Failed", "Operation already in progress")) }
        guard connectsOverLowEnergy else { return call.fail(FakeFailure("Failed", "br-connection-page-timeout")) }
        isForgottenByKernel = false
        pendingConnect = call
        attempt()
        guard pendingConnect != nil else { return }
        // The kernel's own limit for a connection to be made.
        connectTimer = after(.seconds(40)) { $0.giveUpConnecting() }
    }

    /// Calls `body` after a time, if the daemon still has the device.
    func after(_ delay: Duration, _ body: @escaping @Sendable (FakeDevice) -> Void) -> ClockTimer {
        let address = address
        return daemon.after(delay) { $0.devices[address].map(body) }
    }

    /// Takes the first packet that is heard for the moment to connect.
    func attempt() {
        guard pendingConnect != nil || pairing.holdsServices, !isConnected, !isForgottenByKernel, let far, far.isHeard
        else { return }
        connectTimer?.cancel()
        let call = pendingConnect
        pendingConnect = nil
        isConnected = true
        changed(["Connected": .bool(true)])
        if far.refusesConnections {
            // `connect-refused.trace`: the link seems to stand for a moment.
            call?.fail(FakeFailure("Failed", "le-connection-abort-by-local"))
            isConnected = false
            changed(["Connected": .bool(false)])
            return endPairing()
        }
        far.onDisconnect = { [weak self] in self?.linkLost() }
        far.onNotify = { [weak self] in self?.valueNotified($0, $1) }
        far.onServicesChanged = { [weak self] _ in self?.servicesChanged() }
        call?.reply()
        // The change of this makes the device resolve, which is after the reply.
        far.isConnected = true
        if pairing.holdsServices { beginPairing() }
    }

    /// Shows the peer's database: from the cache at once if the device was connected before.
    func resolve() {
        guard isConnected, !isLeftOver, !isResolved, !pairing.holdsServices, let far, far.isReachable,
            !far.holdsDiscovery
        else { return }
        isResolved = true
        var told: [String: DBusValue] = ["ServicesResolved": .bool(true)]
        if resolvedServices == nil {
            resolvedServices = far.foundServices
            told["UUIDs"] = .strings(resolvedServices ?? [])
        }
        if daemon.resolvesBeforeObjects { changed(told) }
        if gatt == nil, !daemon.hidesObjects {
            gatt = FakeGATT(of: self)
            gatt?.show(far.services)
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

    private func disconnect(_ call: MethodCall) {
        if let pending = pendingConnect {
            // `connect-cancelled.trace`: the object goes too.
            pendingConnect = nil
            pending.fail(FakeFailure("Failed", "br-connection-canceled"))
            call.reply()
            connectTimer?.cancel()
            if !isKept { daemon.remove(self) }
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

    /// The link was lost: both properties change in one signal, and the requests over the link fail after it.
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

    /// The link goes a moment later, unless it is another one by then.
    func loseLinkSoon() {
        let link = far?.connectionCount
        _ = after(.milliseconds(100)) { device in
            if device.far?.connectionCount == link { device.linkLost() }
        }
    }

    /// The daemon is gone; the kernel keeps the link for the next one, if that will know the device.
    func letGo() {
        endRequests()
        connectTimer?.cancel()
        for characteristic in gatt?.characteristics ?? [] { characteristic.close() }
        gatt = nil
        far?.onDisconnect = {}
        far?.onNotify = { _, _ in }
        far?.onServicesChanged = { _ in }
        if isTemporary, isConnected { far?.endLink() }
    }

    private func endLink() {
        endRequests()
        isConnected = false
        isLeftOver = false
        isResolved = false
        endPairing()
        gatt?.linkLost()
        far?.endLink()
        forgetSoon()
    }

    /// The attempt was out of reach (`connect-unreachable.trace`).
    private func giveUpConnecting() {
        guard let pending = pendingConnect else { return }
        pendingConnect = nil
        pending.fail(FakeFailure("Failed", "le-connection-abort-by-local"))
        if !isKept { daemon.remove(self) }
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
        resolvedServices = far.foundServices
        changed(["UUIDs": .strings(resolvedServices ?? [])])
        gatt?.show(far.services)
    }
}
#endif
