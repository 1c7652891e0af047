// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// The messages of the daemon when it starts and when it is stopped (`serve-daemon-restarted.trace`).
extension FakeDaemon {
    private static let rootPath = "/org/bluez"

    /// The state that outlives the daemon: its cache of the devices and centrals that it was connected to, the links,
    /// which belong to the kernel, and the adapter's power.
    struct Store {
        var isPowered = true
        var services: [PeerIdentifier: [String]] = [:]
        var centrals: [Int: FakeCentralLink] = [:]
        var links: Set<PeerIdentifier> = []
        var bonded: Set<PeerIdentifier> = []
    }

    /// The state that the next daemon finds.
    var store: Store {
        Store(
            isPowered: isPowered, services: devices.compactMapValues(\.resolvedServices),
            centrals: farCentralsByIndex.filter(\.value.isExported),
            links: Set(devices.filter(\.value.isConnected).keys), bonded: bonded)
    }

    func restore(_ store: Store) {
        isPowered = store.isPowered
        bonded = store.bonded
        farCentralsByIndex = store.centrals.mapValues { FakeCentralLink(daemon: self, after: $0) }
        for (address, services) in store.services {
            let isConnected = store.links.contains(address)
            devices[address] = air.device(at: address).map {
                FakeDevice($0, daemon: self, stored: services, isConnected: isConnected)
            }
        }
    }

    /// Puts the daemon's objects on the bus. An adapter that is off is switched on, as `main.conf` says unless it says
    /// otherwise.
    func export() throws(DBusError) {
        try link.export(
            [agents.interface(), ExportedInterface("org.bluez.ProfileManager1"), health], at: Self.rootPath)
        try exportAdapter()
        try server.watch()
        if !isPowered {
            isPowered = true
            toldPoweredOn()
        }
        air.onChange = { [weak self] in self?.airChanged($0) }
        tick()
    }

    /// The adapter with the devices and centrals that are known (`daemon-killed-during-read.trace`).
    func exportAdapter() throws(DBusError) {
        let interfaces = [
            adapterInterface(), ExportedInterface("org.bluez.BatteryProviderManager1"), server.gattInterface(),
            monitorInterface(), media, ExportedInterface("org.bluez.NetworkServer1"),
        ]
        canAdvertise = isPowered
        try link.export(interfaces + (canAdvertise ? [server.advertisingInterface()] : []), at: Self.adapterPath)
        for device in devices.values { device.export() }
        for central in farCentrals { central.export() }
    }

    private var health: ExportedInterface { ExportedInterface("org.bluez.HealthManager1") }

    var media: ExportedInterface {
        var media = ExportedInterface("org.bluez.Media1")
        let uuids = ["110A", "110B"].map { (uuid: BluetoothUUID) in uuid.fullDescription }
        media.property("SupportedUUIDs", "as", get: { .strings(uuids) })
        return media
    }

    /// Switches the adapter off and takes every object off the bus.
    ///
    /// - Returns: The state that the next daemon finds.
    func withdraw() -> Store {
        if isPowered { setPower(false) }
        let store = store
        link.unexport(at: Self.adapterPath, interfaces: [media.name])
        link.unexport(at: Self.rootPath, interfaces: [health.name])
        link.unexport(at: Self.rootPath)
        withdrawDevices()
        withdrawServer()
        link.unexport(at: Self.adapterPath)
        return store
    }

    /// Removes the interfaces for registration from the bus, and calls `Release` on the programs' advertisements.
    /// Interfaces that hold a registration go in a signal of their own, before the adapter's others
    /// (`daemon-restarted-while-scanning.trace`).
    ///
    /// - Parameter others: The interfaces that go together with `GattManager1`.
    func withdrawServer(with others: [String] = []) {
        if !server.applications.isEmpty {
            link.unexport(
                at: Self.adapterPath, interfaces: [server.gattInterface().name, "org.bluez.NetworkServer1"] + others)
        }
        if !server.advertisements.isEmpty {
            link.unexport(at: Self.adapterPath, interfaces: [server.advertisingInterface().name])
        }
        for advertisement in server.advertisements { server.release(advertisement) }
    }

    /// Leaves the bus at once; the kernel keeps the links for a while.
    func crash() {
        air.onChange = { _ in }
        link.close()
        // The bus answers the calls that are still waiting.
        for device in devices.values { device.letGo() }
        server.closeSockets()
    }
}
#endif
