// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// A device as bluetoothd knows it.
public struct ListenedPeer: Sendable, Hashable {
    /// The address of the device.
    public var identifier: PeerIdentifier
    /// A Boolean value that is true if the address is random (`AddressType`); nil where bluetoothd does not say.
    public var isAddressRandom: Bool?
    /// The name of the device.
    public var name: String?
    /// The advertising data that bluetoothd merged from the device's packets.
    public var advertisements: PeripheralAdvertisements
    /// The signal strength of the last advertisement in dBm, while some program scans.
    public var rssi: Int?
    /// The MTU of the connection in bytes; nil where bluetoothd does not say.
    public var maximumTransmissionUnit: Int?
    /// The services in the order of their handles; none where no program has connected to the device.
    public var services: [ListenedService]
}

extension ListenedPeer {
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
        self.init(
            identifier: identifier, isAddressRandom: properties[Device1.addressType].map { $0 == "random" },
            name: facts.name, advertisements: advertisements, rssi: facts.rssi,
            // What the mirror has may be that of an earlier link.
            maximumTransmissionUnit: values.values.lazy
                .compactMap { $0[GattCharacteristic1.maximumTransmissionUnit] }.first.map { Int($0) },
            services: database.services.compactMap { service in
                // The stand-in for the battery service has no object.
                guard let handle = UInt16(exactly: service.id.rawValue), let path = paths[handle] else { return nil }
                return ListenedService(service, handle, path, database, values)
            })
    }
}

extension ListenedService {
    fileprivate init(
        _ service: DiscoveredService, _ handle: UInt16, _ path: String, _ database: PeerDatabase,
        _ values: [String: ObjectMirror.Properties]
    ) {
        let paths = database.tree.children(of: path, with: BlueZInterface.characteristic)
        self.init(
            uuid: service.uuid, handle: handle, isPrimary: service.isPrimary,
            includes: (database.services(includedBy: path) ?? []).compactMap { UInt16(exactly: $0.id.rawValue) },
            characteristics: paths.compactMap { path in
                guard let found = database.characteristic(path), let handle = UInt16(exactly: found.id.rawValue) else {
                    return nil
                }
                return ListenedCharacteristic(
                    uuid: found.uuid, handle: handle, properties: found.properties,
                    value: Self.value(values[path]), descriptors: Self.descriptors(path, database, values))
            })
    }

    /// The value that bluetoothd has cached. An empty one stands for a value that no program has read.
    private static func value(_ properties: ObjectMirror.Properties?) -> Bytes? {
        guard let value = properties?[GattCharacteristic1.value], !value.isEmpty else { return nil }
        return Bytes(value)
    }

    private static func descriptors(
        _ characteristic: String, _ database: PeerDatabase, _ values: [String: ObjectMirror.Properties]
    ) -> [ListenedDescriptor] {
        let paths = database.tree.children(of: characteristic, with: BlueZInterface.descriptor)
        return paths.compactMap { path in
            guard let found = database.descriptor(path), let handle = UInt16(exactly: found.id.rawValue) else {
                return nil
            }
            return ListenedDescriptor(uuid: found.uuid, handle: handle, value: value(values[path]))
        }
    }
}
#endif
