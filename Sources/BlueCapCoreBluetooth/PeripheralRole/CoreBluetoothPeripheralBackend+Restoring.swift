// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth

extension CoreBluetoothPeripheralBackend {
    /// CoreBluetooth restores the services and the advertisement of the program that the system ended. R2: this is the
    /// first callback, before any state.
    func restored(_ dictionary: [String: Any]) {
        guard radio.state == .unknown else { return countStray() }
        let found = dictionary[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        let services = Self.ordered(found.filter { BluetoothUUID($0.uuid) != nil })
        database.restore(services)
        var advertisement: Advertisement?
        if let data = dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any] {
            advertisement = Advertisement(dictionary: data)
        }
        advertising.restore(advertisement)
        let places = Dictionary(
            services.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
        emit(
            .restored(
                PeripheralRestoration(
                    services: services.compactMap { PeripheralRestoration.Service($0, places) },
                    mainAdvertisement: advertisement)))
    }

    /// The services, each after those that it includes.
    private static func ordered(_ services: [CBMutableService]) -> [CBMutableService] {
        var ordered: [CBMutableService] = []
        var left = services
        while !left.isEmpty {
            let waiting = Set(left.map(ObjectIdentifier.init))
            // Services that include each other in a circle stay in their order.
            let place = left.firstIndex { service in
                (service.includedServices ?? []).allSatisfy { !waiting.contains(ObjectIdentifier($0)) }
            }
            ordered.append(left.remove(at: place ?? 0))
        }
        return ordered
    }
}

extension PeripheralRestoration.Service {
    /// Creates the description of a restored service; nil where its UUID is not usable.
    fileprivate init?(_ service: CBMutableService, _ places: [ObjectIdentifier: Int]) {
        guard let uuid = BluetoothUUID(service.uuid), let place = places[ObjectIdentifier(service)] else { return nil }
        self.init(
            uuid: uuid, isPrimary: service.isPrimary,
            includedServices: (service.includedServices ?? []).compactMap { included in
                places[ObjectIdentifier(included)].flatMap { $0 < place ? $0 : nil }
            },
            characteristics: (service.characteristics ?? []).compactMap { characteristic in
                (characteristic as? CBMutableCharacteristic).flatMap { PeripheralRestoration.Characteristic($0) }
            })
    }
}

extension PeripheralRestoration.Characteristic {
    /// Creates the description of a restored characteristic; nil where its UUID is not usable.
    fileprivate init?(_ characteristic: CBMutableCharacteristic) {
        guard let uuid = BluetoothUUID(characteristic.uuid) else { return nil }
        self.init(
            uuid: uuid,
            properties: CharacteristicProperties(
                rawValue: UInt16(truncatingIfNeeded: characteristic.properties.rawValue)),
            permissions: AttributePermissions(characteristic.permissions),
            descriptors: (characteristic.descriptors ?? []).compactMap { descriptor in
                BluetoothUUID(descriptor.uuid).map { uuid in
                    PeripheralRestoration.Descriptor(
                        uuid: uuid, permissions: .readable, value: Bytes(object: descriptor.value))
                }
            })
    }
}

extension AttributePermissions {
    /// The permissions in CoreBluetooth's bits, which are the first four of the package's.
    fileprivate init(_ permissions: CBAttributePermissions) {
        self.init(rawValue: UInt8(truncatingIfNeeded: permissions.rawValue) & 0x0F)
    }
}
#endif
