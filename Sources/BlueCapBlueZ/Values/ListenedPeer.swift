// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// A device as bluetoothd knows it.
public struct ListenedPeer: Sendable, Hashable {
    /// The address of the device.
    public var identifier: PeerIdentifier
    /// Whether that is a random one (`AddressType`); nil where bluetoothd does not say.
    public var isAddressRandom: Bool?
    /// The name of the device.
    public var name: String?
    /// What bluetoothd merged from its advertisements.
    public var advertisements: PeripheralAdvertisements
    /// The signal strength of the last one in dBm, while some program scans.
    public var rssi: Int?
    /// The MTU of the connection.
    public var maximumTransmissionUnit: Int?
    /// Its services in the order of their handles; none where no program has connected to it.
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
        self.init(
            identifier: identifier, name: facts.name, advertisements: advertisements, rssi: facts.rssi,
            maximumTransmissionUnit: database.maximumTransmissionUnit,
            services: database.services.compactMap { service in
                // The stand-in for the battery service has no object.
                let path = tree.children(of: device, with: BlueZInterface.service).first {
                    BlueZPath.attribute(of: $0).map(UInt32.init) == service.id.rawValue
                }
                return path.flatMap { ListenedService(service, $0, database, values) }
            })
    }
}

extension ListenedService {
    fileprivate init?(
        _ service: DiscoveredService, _ path: String, _ database: PeerDatabase,
        _ values: [String: ObjectMirror.Properties]
    ) {
        guard let handle = BlueZPath.attribute(of: path) else { return nil }
        let paths = database.tree.children(of: path, with: BlueZInterface.characteristic)
        self.init(
            uuid: service.uuid, handle: handle, isPrimary: service.isPrimary,
            includes: (database.services(includedBy: path) ?? []).compactMap { UInt16(exactly: $0.id.rawValue) },
            characteristics: zip(database.characteristics(of: path) ?? [], paths).compactMap { found, path in
                guard let handle = BlueZPath.attribute(of: path) else { return nil }
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
        return zip(database.descriptors(of: characteristic), paths).compactMap { found, path in
            UInt16(exactly: found.id.rawValue).map {
                ListenedDescriptor(
                    uuid: found.uuid, handle: $0, value: value(values[path]))
            }
        }
    }
}
#endif
