// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

extension Twin {
    /// Creates the twin of a device as bluetoothd knows it, without notifications.
    ///
    /// - Parameter values: The properties of characteristics and descriptors, by path.
    init?(
        _ tree: ObjectMirror, _ device: String, _ values: [String: ObjectMirror.Properties],
        _ advertisements: PeripheralAdvertisements
    ) {
        guard let properties = tree[device, BlueZInterface.device] else { return nil }
        let facts = DeviceFacts(properties)
        guard let identifier = facts.identifier else { return nil }
        let database = PeerDatabase(tree: tree, device: device)
        let paths = Dictionary(
            tree.children(of: device, with: BlueZInterface.service).map { (BlueZPath.attribute(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        // The stand-in for the battery service has no object.
        let found: [(service: DiscoveredService, handle: UInt16, path: String)] = database.services.compactMap {
            service in
            guard let handle = UInt16(exactly: service.id.rawValue), let path = paths[handle] else { return nil }
            return (service, handle, path)
        }
        self.init(
            address: identifier, isAddressRandom: properties[Device1.addressType].map { $0 == "random" },
            name: facts.name, advertisement: TwinAdvertisement(whole: advertisements, rssi: facts.rssi),
            // The MTU that the mirror has may be that of an earlier link.
            mtu: values.values.lazy.compactMap { $0[GattCharacteristic1.maximumTransmissionUnit] }.first
                .map { min(max(Int($0), 23), 517) },
            services: found.enumerated().map { index, entry in
                let included = database.services(includedBy: entry.path) ?? []
                return TwinService(
                    entry.service.uuid, handle: entry.handle, isPrimary: entry.service.isPrimary,
                    includes: included.compactMap { service in
                        found.firstIndex { $0.service.id == service.id }
                    }.filter { $0 != index },
                    characteristics: TwinCharacteristic.characteristics(of: entry.path, database, values))
            })
    }
}

extension TwinCharacteristic {
    fileprivate static func characteristics(
        of service: String, _ database: PeerDatabase, _ values: [String: ObjectMirror.Properties]
    ) -> [TwinCharacteristic] {
        let paths = database.tree.children(of: service, with: BlueZInterface.characteristic)
        return paths.compactMap { path in
            guard let found = database.characteristic(path), let handle = UInt16(exactly: found.id.rawValue) else {
                return nil
            }
            return TwinCharacteristic(
                // BlueZ has the handle of the declaration, behind which that of the value stands.
                found.uuid, handle: handle &+ 1, properties: found.properties, value: Bytes(cached: values[path]),
                descriptors: TwinDescriptor.descriptors(of: path, database, values))
        }
    }
}

extension TwinDescriptor {
    fileprivate static func descriptors(
        of characteristic: String, _ database: PeerDatabase, _ values: [String: ObjectMirror.Properties]
    ) -> [TwinDescriptor] {
        let paths = database.tree.children(of: characteristic, with: BlueZInterface.descriptor)
        return paths.compactMap { path in
            guard let found = database.descriptor(path), let handle = UInt16(exactly: found.id.rawValue),
                found.uuid != Descriptor.clientConfiguration
            else { return nil }
            return TwinDescriptor(found.uuid, handle: handle, value: Bytes(cached: values[path]))
        }
    }
}

extension Bytes {
    /// The value that bluetoothd has cached. An empty one stands for a value that no program has read.
    fileprivate init?(cached properties: ObjectMirror.Properties?) {
        guard let value = properties?[GattCharacteristic1.value], !value.isEmpty else { return nil }
        self.init(value)
    }
}
#endif
