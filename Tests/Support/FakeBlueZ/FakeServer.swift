// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// GattManager1 and LEAdvertisingManager1 with the programs' registrations (`serve*.trace`, `register-misuse.trace`);
/// on the fake's thread only.
final class FakeServer {
    /// A program's application.
    struct Application {
        let client: String
        let root: String
        var objects: [FakeObject]
    }

    /// A program's advertisement.
    struct OnAir {
        let client: String
        let path: String
        var properties: [String: DBusValue]
    }

    private static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let instances = 5

    unowned let daemon: FakeDaemon
    var applications: [Application] = []
    var advertisements: [OnAir] = []
    /// The registrations whose objects are being read.
    var readings: [MethodCall] = []
    private var lastHandle: UInt16 = 0x3F
    /// The number of the adapter's current life: a registration that began in an earlier one is dropped.
    private(set) var life = 0

    init(daemon: FakeDaemon) { self.daemon = daemon }

    func gattInterface() -> ExportedInterface {
        var gatt = ExportedInterface(Self.gattManager)
        serve("RegisterApplication", "oa{sv}", on: &gatt) { $0.registerApplication($1) }
        serve("UnregisterApplication", "o", on: &gatt) { $0.unregisterApplication($1) }
        return gatt
    }

    func advertisingInterface() -> ExportedInterface {
        var advertising = ExportedInterface(Self.advertisingManager)
        serve("RegisterAdvertisement", "oa{sv}", on: &advertising) { $0.registerAdvertisement($1) }
        serve("UnregisterAdvertisement", "o", on: &advertising) { $0.unregisterAdvertisement($1) }
        for name in instanceCounts.keys {
            advertising.property(name, "y", get: { [unowned self] in instanceCounts[name] })
        }
        let capabilities: [String: DBusValue] = [
            "MaxAdvLen": .byte(31), "MaxScnRspLen": .byte(31), "MinTxPower": .int16(0), "MaxTxPower": .int16(0),
        ]
        let constants: [(String, DBusValue)] = [
            ("SupportedIncludes", .strings(["tx-power", "appearance", "local-name"])),
            ("SupportedFeatures", .strings([])), ("SupportedCapabilities", .properties(capabilities)),
        ]
        for (name, value) in constants { advertising.property(name, value.signature, get: { value }) }
        return advertising
    }

    private func serve(
        _ name: String, _ input: String, on interface: inout ExportedInterface,
        _ body: @escaping (FakeServer, MethodCall) -> Void
    ) {
        interface.method(name, in: input) { [unowned self] call in
            daemon.serve(call) { [unowned self] in body(self, call) }
        }
    }

    // MARK: Applications

    private func registerApplication(_ call: MethodCall) {
        guard let root = call.arguments[0].objectPathValue else { return call.fail(.invalidArguments) }
        if applications.contains(where: { $0.root == root && $0.client == call.sender })
            || reading(root, of: call.sender) != nil
        {
            return call.fail(FakeFailure("AlreadyExists", "Already Exists"))
        }
        readings.append(call)
        let (client, life) = (call.sender, life)
        daemon.ask(client, root, StandardInterface.objectManager, "GetManagedObjects") { [weak self] result in
            guard let self, self.life == life else { return call.fail(.gone) }
            guard isRead(call) else { return }
            guard case .success(let message) = result, let reply = try? message.body(expecting: "a{oa{sa{sv}}}")
            else { return call.fail(FakeFailure("Failed", "No object received")) }
            let objects = objects(in: reply[0], of: client)
            guard !objects.isEmpty else { return call.fail(FakeFailure("Failed", "No object received")) }
            guard objects.contains(where: { $0.interface == BlueZ.service }) else {
                return call.fail(FakeFailure("Failed", "No valid service object found"))
            }
            let application = Application(client: client, root: root, objects: objects)
            applications.append(application)
            databaseChanged(by: application)
            tellPlaces(of: application)
            call.reply()
        }
    }

    /// Sets the property of each service that has one and leaves its place to the daemon.
    private func tellPlaces(of application: Application) {
        for object in application.objects where object.properties["Handle"] == .uint16(0) {
            let handle = UInt16(truncatingIfNeeded: object.id.rawValue)
            let body: [DBusValue] = [
                .string(object.interface), .string("Handle"), .variant(.uint16(handle)),
            ]
            daemon.tell(object.client, object.path, StandardInterface.properties, "Set", body)
        }
    }

    enum BlueZ {
        static let service = "org.bluez.GattService1"
        static let attributes = [service, "org.bluez.GattCharacteristic1", "org.bluez.GattDescriptor1"]
    }

    private func objects(in value: DBusValue, of client: String) -> [FakeObject] {
        var objects: [FakeObject] = []
        let all = value.entriesValue ?? []
        var place = lastHandle
        for entry in all {
            for interface in entry.value.entriesValue ?? [] {
                guard let path = entry.key.objectPathValue, let name = interface.key.stringValue,
                    BlueZ.attributes.contains(name), let properties = interface.value.propertiesValue
                else { continue }
                if let wanted = properties["Handle"]?.uint16Value, isFree(wanted, count: all.count) {
                    place = wanted - 2
                }
                place += 2
                lastHandle = max(lastHandle, place)
                objects.append(
                    FakeObject(
                        client: client, path: path, interface: name, properties: properties,
                        id: AttributeID(handle: place)))
            }
        }
        return objects
    }

    /// Whether a service can stand where it asks to.
    private func isFree(_ handle: UInt16, count: Int) -> Bool {
        let range = UInt32(handle)..<UInt32(handle) + 2 * UInt32(count)
        return handle > 2 && range.upperBound <= 0xFFFF && !objects.contains { range.contains($0.id.rawValue) }
    }

    private func unregisterApplication(_ call: MethodCall) {
        let root = call.arguments[0].objectPathValue
        if let root, let place = reading(root, of: call.sender) {
            // Seen with 5.66 and 5.87: the registration is never answered.
            daemon.abandon([readings.remove(at: place)])
            return call.reply()
        }
        guard let index = applications.firstIndex(where: { $0.root == root && $0.client == call.sender }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        let gone = applications.remove(at: index)
        for object in gone.objects { object.closeSockets() }
        databaseChanged(by: gone)
        call.reply()
    }

    func databaseChanged(by application: Application) {
        daemon.emit(FakeDaemon.adapterPath, "org.bluez.Adapter1", ["UUIDs": .strings(uuids)])
        for handles in application.serviceRanges {
            for central in daemon.farCentrals { central.servicesChanged(handles) }
        }
    }

    // MARK: The database

    /// Those of all services, the daemon's own first.
    var uuids: [String] {
        let own = ["1801", "1800", "1844", "180A"].map { (uuid: BluetoothUUID) in uuid.fullDescription }
        let registered = objects.filter { $0.interface == BlueZ.service }.compactMap(\.uuid)
        return registered.reduce(into: own) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The place of a registration whose objects are being read.
    func reading(_ path: String, of client: String) -> Int? {
        readings.firstIndex { $0.sender == client && $0.arguments[0].objectPathValue == path }
    }

    /// Takes the end of reading for a registration; false if it was undone meanwhile.
    func isRead(_ call: MethodCall) -> Bool {
        guard let place = readings.firstIndex(where: { $0 === call }) else { return false }
        readings.remove(at: place)
        return true
    }

    /// Drops everything that programs registered.
    func forget() {
        closeSockets()
        life += 1
        applications = []
        (advertisements, readings) = ([], [])
    }

    func closeSockets() {
        for object in objects { object.closeSockets() }
    }

    private var objects: [FakeObject] { applications.flatMap(\.objects) }

    func object(at path: String, of client: String) -> FakeObject? {
        objects.first { $0.path == path && $0.client == client }
    }

    func object(_ id: AttributeID) -> FakeObject? { objects.first { $0.id == id } }

    /// The services as a central discovers them.
    var services: [FarService] {
        let all = objects.sorted { $0.id < $1.id }
        return all.filter { $0.interface == BlueZ.service && $0.isPrimary }.compactMap { service in
            guard let uuid = service.bluetoothUUID else { return nil }
            let characteristics = all.filter { $0.properties["Service"]?.objectPathValue == service.path }
            return FarService(
                uuid: uuid,
                characteristics: characteristics.compactMap { characteristic in
                    guard let uuid = characteristic.bluetoothUUID else { return nil }
                    let descriptors = all.filter {
                        $0.properties["Characteristic"]?.objectPathValue == characteristic.path
                    }
                    return FarCharacteristic(
                        uuid: uuid, id: characteristic.id, properties: characteristic.characteristicProperties,
                        descriptors: Dictionary(
                            descriptors.compactMap { object in object.bluetoothUUID.map { ($0, object.id) } },
                            uniquingKeysWith: { first, _ in first }))
                })
        }
    }
}

extension FakeServer.Application {
    /// The handles of each of its services.
    fileprivate var serviceRanges: [ClosedRange<AttributeID>] {
        objects.filter { $0.interface == FakeServer.BlueZ.service }.compactMap { service in
            let ids = objects.filter { $0 === service || $0.path.hasPrefix(service.path + "/") }.map(\.id)
            guard let first = ids.min(), let last = ids.max() else { return nil }
            return first...last
        }
    }
}

extension FakeFailure {
    static let invalidArguments = FakeFailure("InvalidArguments", "Invalid arguments in method call")
}
#endif
