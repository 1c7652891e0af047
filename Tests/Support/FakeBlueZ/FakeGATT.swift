// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import BlueCapDBus

/// The attribute objects of one resolved device; on the fake's thread only.
final class FakeGATT {
    /// The objects of one service on the bus.
    fileprivate struct Shown {
        let service: FakeDatabase.Service
        var paths: [String] = []
        var characteristics: [FakeCharacteristic] = []
    }

    let device: FakeDevice
    private var shown: [Shown] = []
    /// Calls about attributes that a change of the database removed: no answer of the peer reaches them any more.
    private var orphans: [MethodCall] = []

    init(of device: FakeDevice) { self.device = device }

    var characteristics: [FakeCharacteristic] { shown.flatMap(\.characteristics) }

    /// The number of subscriptions that clients hold.
    var subscriptionCount: Int { characteristics.reduce(0) { $0 + $1.sessionCount } }

    /// Exports every object, parents first. Objects of an unchanged service stay; a service in place of removed ones is
    /// exported as a secondary service (`discovery_parse_services` of BlueZ 5.66, `service-changed.trace`).
    func show(_ services: [TwinService]) {
        var found = FakeDatabase(services).services
        found.removeAll { device.daemon.hidesClaimedServices && $0.uuid == "180F" }
        let (kept, gone) = (shown.filter { $0.isAmong(found) }, shown.filter { !$0.isAmong(found) })
        orphans += gone.flatMap(\.characteristics).flatMap { $0.takePending() }
        unexport(gone)
        shown = found.map { service in
            if let same = kept.first(where: { $0.isAmong([service]) }) { return same }
            var service = service
            if gone.contains(where: { $0.service.handles.overlaps(service.handles) }) { service.isPrimary = false }
            return export(service)
        }
    }

    private func export(_ service: FakeDatabase.Service) -> Shown {
        var shown = Shown(service: service)
        let path = device.path + "/service" + Self.hex(service.handle)
        export(serviceInterface(service), at: path, of: &shown)
        for characteristic in service.characteristics {
            let characteristicPath = path + "/char" + Self.hex(characteristic.handle)
            let object = FakeCharacteristic(characteristic, path: characteristicPath, service: path, device: device)
            shown.characteristics.append(object)
            export(object.interface(), at: characteristicPath, of: &shown)
            for descriptor in characteristic.descriptors {
                let object = FakeDescriptor(
                    descriptor, path: characteristicPath + "/desc" + Self.hex(descriptor.handle), of: object)
                export(object.interface(), at: object.path, of: &shown)
            }
        }
        return shown
    }

    func unexport() {
        unexport(shown)
        shown = []
    }

    /// Children first, as the daemon does.
    private func unexport(_ gone: [Shown]) {
        for path in gone.flatMap(\.paths).reversed() { device.daemon.link.unexport(at: path) }
        for characteristic in gone.flatMap(\.characteristics) { characteristic.close() }
    }

    /// A value came over the link.
    func valueNotified(_ place: PeerAttribute, _ value: Bytes) {
        characteristics.first { $0.place == place }?.valueNotified(value)
    }

    /// The link is back: the subscriptions of clients are made again (`notify-then-disconnect.trace`).
    func rearm() {
        for characteristic in characteristics { characteristic.rearm() }
    }

    func linkLost() {
        for characteristic in characteristics { characteristic.linkLost() }
    }

    /// The calls that wait for the peer; they are the caller's now.
    func takePending() -> [MethodCall] {
        defer { orphans = [] }
        return orphans + characteristics.flatMap { $0.takePending() }
    }

    private func export(_ interface: ExportedInterface, at path: String, of shown: inout Shown) {
        shown.paths.append(path)
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

extension FakeGATT.Shown {
    /// Whether the daemon takes one of these for the same service.
    fileprivate func isAmong(_ services: [FakeDatabase.Service]) -> Bool {
        services.contains { other in
            other.handles == service.handles && other.uuid == service.uuid && other.isPrimary == service.isPrimary
        }
    }
}
#endif
