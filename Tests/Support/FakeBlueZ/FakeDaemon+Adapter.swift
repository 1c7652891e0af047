// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus

/// Adapter1: power and discovery (`scan.trace`, `scan-misuse.trace`, `adapter-properties.trace`, `power-off-*.trace`).
extension FakeDaemon {
    static let adapterName = "org.bluez.Adapter1"
    private static let filterKeys = [
        "UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern",
    ]

    func adapterInterface() -> ExportedInterface {
        var adapter = ExportedInterface(Self.adapterName)
        let constants: [(String, DBusValue)] = [
            ("Address", .string("C0:DE:00:00:00:01")), ("AddressType", .string("public")), ("Name", .string("fake")),
            ("Class", .uint32(0)), ("DiscoverableTimeout", .uint32(180)), ("PairableTimeout", .uint32(0)),
            ("Modalias", .string("usb:v1D6Bp0246d0542")), ("Roles", .strings(["central", "peripheral"])),
        ]
        for (name, value) in constants { adapter.property(name, value.signature, get: { value }) }
        adapter.property("Powered", "b", get: { [unowned self] in .bool(isPowered) }) { [unowned self] value, call in
            setPower(value.boolValue == true, call)
        }
        for (name, value) in settings {
            adapter.property(name, value.signature, get: { [unowned self] in settings[name] }) { [unowned self] in
                set(name, to: $0, $1)
            }
        }
        adapter.property("PowerState", "s", get: { [unowned self] in .string(isPowered ? "on" : "off") })
        adapter.property("Discovering", "b", get: { [unowned self] in .bool(!sessions.isEmpty) })
        adapter.property("UUIDs", "as", get: { [unowned self] in .strings(server.uuids) })
        method("SetDiscoveryFilter", "a{sv}", on: &adapter) { $0.setFilter($1) }
        method("GetDiscoveryFilters", on: &adapter) { _, call in call.reply(.strings(Self.filterKeys)) }
        method("StartDiscovery", on: &adapter) { $0.startDiscovery($1) }
        method("StopDiscovery", on: &adapter) { $0.stopDiscovery($1) }
        method("RemoveDevice", "o", on: &adapter) { $0.removeDevice($1) }
        return adapter
    }

    /// Switches the adapter as the system's settings do.
    package func setPower(_ isOn: Bool) { setPower(isOn, nil) }

    /// The adapter keeps the keys of pairings while there is an agent.
    func setPairable(_ isPairable: Bool) {
        guard settings["Pairable"] != .bool(isPairable) else { return }
        settings["Pairable"] = .bool(isPairable)
        changed(["Pairable": .bool(isPairable)])
    }

    private func method(
        _ name: String, _ input: String = "", on adapter: inout ExportedInterface,
        _ body: @escaping (FakeDaemon, MethodCall) -> Void
    ) {
        adapter.method(name, in: input) { [unowned self] call in
            serve(call) { [unowned self] in body(self, call) }
        }
    }

    private func set(_ name: String, to value: DBusValue, _ call: MethodCall) {
        let value = name == "Alias" && value == .string("") ? Self.ownName : value
        let isNew = settings[name] != value
        settings[name] = value
        call.reply()
        if isNew { changed([name: value]) }
    }

    private func setPower(_ isOn: Bool, _ call: MethodCall?) {
        if isOn == isPowered {
            call?.reply()
            return
        }
        if !isOn {
            for device in devices.values where device.isTemporary { remove(device) }
        }
        changed(["PowerState": .string(isOn ? "off-enabling" : "on-disabling")])
        if !isOn { endLinks() }
        call?.reply()
        isPowered = isOn
        guard !isOn else { return toldPoweredOn() }
        endDiscovery()
        changed(["PowerState": .string("off"), "Powered": .bool(false), "Discovering": .bool(false)])
    }

    /// An adapter can advertise from the first time that it is on.
    func toldPoweredOn() {
        if !canAdvertise { try? link.export([server.advertisingInterface()], at: Self.adapterPath) }
        canAdvertise = true
        changed(["PowerState": .string("on"), "Powered": .bool(true)])
    }

    private func setFilter(_ call: MethodCall) {
        guard isPowered else { return call.fail(.notReady) }
        let filter = call.arguments.first?.propertiesValue ?? [:]
        let isValid =
            filter.keys.allSatisfy(Self.filterKeys.contains) && !(filter["RSSI"] != nil && filter["Pathloss"] != nil)
        guard isValid else { return call.fail(FakeFailure("InvalidArguments", "Invalid arguments in method call")) }
        filters[call.sender] = filter
        call.reply()
    }

    private func startDiscovery(_ call: MethodCall) {
        guard isPowered else { return call.fail(.notReady) }
        guard !sessions.contains(call.sender) else { return call.fail(.busy) }
        let isFirst = sessions.isEmpty
        sessions.insert(call.sender)
        call.reply()
        if isFirst { changed(["Discovering": .bool(true)]) }
        if !isTicking { tick() }
    }

    private func stopDiscovery(_ call: MethodCall) {
        guard isPowered else { return call.fail(.notReady) }
        guard sessions.remove(call.sender) != nil else {
            return call.fail(FakeFailure("Failed", "No discovery started"))
        }
        filters[call.sender] = nil
        call.reply()
        guard sessions.isEmpty else { return }
        endDiscovery()
        changed(["Discovering": .bool(false)])
    }

    /// Ends discovery, and with it forgets the measured signal strengths.
    private func endDiscovery() {
        sessions = []
        filters = [:]
        for address in found.sorted() { devices[address]?.forgetSighting() }
        found = []
    }

    private func removeDevice(_ call: MethodCall) {
        let path = call.arguments.first?.objectPathValue
        guard let device = devices.values.first(where: { $0.path == path }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        bonded.remove(device.address)
        device.abandonRequests()
        guard device.isConnected else {
            remove(device)
            return call.reply()
        }
        // `connect.trace`: the answer comes while the link goes down, the objects go after it.
        device.disconnectLink { call.reply() }
        remove(device)
    }

    /// Unplugs the adapter, with all of its objects, or plugs it in again (`adapter-removed-during-read.trace`,
    /// `serve-adapter-removed.trace`).
    package func setAdapter(present isPresent: Bool) throws {
        hasAdapter = isPresent
        guard !isPresent else { return try exportAdapter() }
        misconduct.adapterEnded()
        for central in farCentrals { central.disconnect() }
        changed(["Powered": .bool(false), "Discovering": .bool(false), "PowerState": .string("on")])
        endLinks()
        (sessions, filters, found) = ([], [:], [])
        let store = store
        withdrawDevices()
        withdrawServer(with: [media.name])
        link.unexport(at: Self.adapterPath)
        server.forget()
        restore(store)
    }

    /// Takes the objects of all devices and centrals off the bus.
    func withdrawDevices() {
        for device in devices.values { remove(device) }
        for central in farCentrals { link.unexport(at: central.path) }
    }

    private func endLinks() {
        misconduct.linksEnded()
        for device in devices.values { device.linkLost() }
        for central in farCentrals { central.disconnect() }
    }

    /// Takes a device's objects off the bus.
    func remove(_ device: FakeDevice) {
        device.unexport()
        devices[device.address] = nil
        found.remove(device.address)
        for monitor in monitors { monitor.forget(device.address) }
    }

    private func changed(_ properties: [String: DBusValue]) { emit(Self.adapterPath, Self.adapterName, properties) }
}
#endif
