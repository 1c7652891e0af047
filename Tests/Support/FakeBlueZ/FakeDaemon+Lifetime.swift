// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// What the daemon tells when it comes and when it is told to go (`serve-daemon-restarted.trace`).
extension FakeDaemon {
    private static let rootPath = "/org/bluez"

    /// What is left when the daemon ends: what it keeps of the devices and centrals that it was connected to, the
    /// links, which the kernel has, and the adapter's state.
    struct Store {
        var isPowered = true
        var services: [PeerIdentifier: [String]] = [:]
        var centrals: [Int: FakeCentralLink] = [:]
        var links: Set<PeerIdentifier> = []
        var bonded: Set<PeerIdentifier> = []
    }

    /// What a daemon finds that comes after this one.
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
        var monitors = ExportedInterface("org.bluez.AdvertisementMonitorManager1")
        monitors.property("SupportedMonitorTypes", "as", get: { .strings(["or_patterns"]) })
        monitors.property("SupportedFeatures", "as", get: { .strings([]) })
        let interfaces = [
            adapterInterface(), ExportedInterface("org.bluez.BatteryProviderManager1"), server.gattInterface(),
            monitors, media, ExportedInterface("org.bluez.NetworkServer1"),
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
    /// - Returns: What a daemon finds that comes after it.
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

    /// Takes off the bus what programs register at, and tells them that their advertisements are no more. Apart from
    /// the adapter's other interfaces only where something was registered (`daemon-restarted-while-scanning.trace`).
    ///
    /// - Parameter others: What goes with `GattManager1`.
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
        // What waits is the bus's to answer now.
        for device in devices.values { device.letGo() }
        server.closeSockets()
    }
}
#endif
