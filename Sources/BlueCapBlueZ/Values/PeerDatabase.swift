// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// A peripheral's database, as the mirror of BlueZ's objects shows it.
struct PeerDatabase {
    let tree: ObjectMirror
    let device: String

    /// All services in the order of their handles, the stand-in for the battery service last.
    ///
    /// BlueZ 5.66 reports primary services that it discovers again as secondary (service-changed.trace). A secondary
    /// service that no other service includes is of no use, so it counts as primary.
    var services: [DiscoveredService] {
        let paths = tree.children(of: device, with: BlueZInterface.service)
        let included = Set(paths.flatMap(includedPaths))
        var services = paths.compactMap { service($0, isIncluded: included.contains($0)) }
        if let battery = Battery.service(at: device, in: tree, beside: services) { services.append(battery) }
        return services.sorted { $0.id < $1.id }
    }

    /// Whether BlueZ has announced any service. The battery can be there before those that it cached (seen with 5.66).
    var hasServices: Bool { !tree.children(of: device, with: BlueZInterface.service).isEmpty }

    /// The services that one includes; nil for a service that is gone.
    func services(includedBy path: String) -> [DiscoveredService]? {
        guard tree[path, BlueZInterface.service] != nil else { return nil }
        return includedPaths(path).compactMap { service($0, isIncluded: true) }
    }

    /// The characteristics of a service; nil for one that is gone.
    func characteristics(of service: String) -> [DiscoveredCharacteristic]? {
        guard tree[service, BlueZInterface.service] != nil else { return nil }
        return tree.children(of: service, with: BlueZInterface.characteristic).compactMap(characteristic)
    }

    /// The characteristic of an object; nil for one that is gone or makes no sense.
    func characteristic(_ path: String) -> DiscoveredCharacteristic? {
        guard let properties = tree[path, BlueZInterface.characteristic], let id = Self.attribute(path),
            let uuid = Self.uuid(properties[GattCharacteristic1.uuid])
        else { return nil }
        return DiscoveredCharacteristic(
            id: id, uuid: uuid,
            properties: CharacteristicProperties(flags: properties[GattCharacteristic1.flags] ?? []))
    }

    func descriptors(of characteristic: String) -> [DiscoveredDescriptor] {
        tree.children(of: characteristic, with: BlueZInterface.descriptor).compactMap(descriptor)
    }

    /// The descriptor of an object; nil for one that is gone or makes no sense.
    func descriptor(_ path: String) -> DiscoveredDescriptor? {
        guard let properties = tree[path, BlueZInterface.descriptor], let id = Self.attribute(path),
            let uuid = Self.uuid(properties[GattDescriptor1.uuid])
        else { return nil }
        return DiscoveredDescriptor(id: id, uuid: uuid)
    }

    /// Every service, characteristic and descriptor, by its object's path.
    var attributes: [(path: String, id: AttributeID)] {
        var paths: [String] = []
        for service in tree.children(of: device, with: BlueZInterface.service) {
            paths.append(service)
            for characteristic in tree.children(of: service, with: BlueZInterface.characteristic) {
                paths.append(characteristic)
                paths += tree.children(of: characteristic, with: BlueZInterface.descriptor)
            }
        }
        return paths.compactMap { path in Self.attribute(path).map { (path, $0) } }
    }

    var firstCharacteristic: String? {
        for service in tree.children(of: device, with: BlueZInterface.service) {
            if let first = tree.children(of: service, with: BlueZInterface.characteristic).first { return first }
        }
        return nil
    }

    private func includedPaths(_ service: String) -> [String] {
        tree[service, BlueZInterface.service]?[GattService1.includes] ?? []
    }

    private func service(_ path: String, isIncluded: Bool) -> DiscoveredService? {
        guard let properties = tree[path, BlueZInterface.service], let id = Self.attribute(path),
            let uuid = Self.uuid(properties[GattService1.uuid])
        else { return nil }
        let isPrimary = properties[GattService1.primary] ?? true
        return DiscoveredService(id: id, uuid: uuid, isPrimary: isPrimary || !isIncluded)
    }

    private static func attribute(_ path: String) -> AttributeID? {
        BlueZPath.attribute(of: path).map { AttributeID(handle: $0) }
    }

    private static func uuid(_ text: String?) -> BluetoothUUID? { text.flatMap { try? BluetoothUUID(text: $0) } }
}
#endif
