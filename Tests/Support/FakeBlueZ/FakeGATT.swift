#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import DBus

/// The attribute objects of one resolved device; on the fake's thread only.
final class FakeGATT {
    let device: FakeDevice
    private let database: FakeDatabase
    private var paths: [String] = []
    private(set) var characteristics: [FakeCharacteristic] = []

    init(of device: FakeDevice, services: [PeerService]) {
        self.device = device
        database = FakeDatabase(services)
    }

    /// Puts every object on the bus, parents first.
    func export() {
        for service in database.services {
            if device.daemon.hidesClaimedServices, service.uuid == "180F" { continue }
            let path = device.path + "/service" + Self.hex(service.handle)
            export(serviceInterface(service), at: path)
            for characteristic in service.characteristics {
                let characteristicPath = path + "/char" + Self.hex(characteristic.handle)
                let object = FakeCharacteristic(characteristic, path: characteristicPath, service: path, device: device)
                characteristics.append(object)
                export(object.interface(), at: characteristicPath)
                for descriptor in characteristic.descriptors {
                    let object = FakeDescriptor(
                        descriptor, path: characteristicPath + "/desc" + Self.hex(descriptor.handle), of: object)
                    export(object.interface(), at: object.path)
                }
            }
        }
    }

    func unexport() {
        // Children first, as the daemon does.
        for path in paths.reversed() { device.daemon.link.unexport(at: path) }
        paths = []
        for characteristic in characteristics { characteristic.close() }
    }

    /// A value came over the link.
    func valueNotified(_ place: PeerAttribute, _ value: Bytes) {
        characteristics.first { $0.place == place }?.valueNotified(value)
    }

    /// The link is back: what clients had subscribed to is subscribed again (`notify-then-disconnect.trace`).
    func rearm() {
        for characteristic in characteristics { characteristic.rearm() }
    }

    func linkLost() {
        for characteristic in characteristics { characteristic.linkLost() }
    }

    private func export(_ interface: ExportedInterface, at path: String) {
        paths.append(path)
        try? device.daemon.link.export([interface], at: path)
    }

    private func serviceInterface(_ service: FakeDatabase.Service) -> ExportedInterface {
        var interface = ExportedInterface("org.bluez.GattService1")
        let included = service.includes.map { device.path + "/service" + Self.hex($0) }
        let values: [(String, DBusValue)] = [
            ("UUID", .string(service.uuid.fullDescription)), ("Device", .objectPath(device.path)),
            ("Primary", .bool(service.isPrimary)), ("Includes", .objectPaths(included)),
        ]
        for (name, value) in values { interface.property(name, value.signature, get: { value }) }
        return interface
    }

    private static func hex(_ handle: Int) -> String {
        let digits = String(handle, radix: 16)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
#endif
