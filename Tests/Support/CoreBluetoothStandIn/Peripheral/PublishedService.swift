// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

/// A service as it was when it was published; the program's objects may change later, without effect (G5).
struct PublishedService {
    let object: CBMutableService
    let local: LocalService
    let characteristics: [CBMutableCharacteristic]
    /// Values that the system answers by itself: cached ones (G3) and those of descriptors (G4, I8).
    let fixed: [AttributeID: [UInt8]]

    /// Numbers a service and everything below it.
    init(_ service: CBMutableService, makeNumber: () -> AttributeID) {
        var fixed: [AttributeID: [UInt8]] = [:]
        service.number = makeNumber()
        let mutable = (service.characteristics ?? []).compactMap { $0 as? CBMutableCharacteristic }
        let characteristics = mutable.map { characteristic in
            characteristic.number = makeNumber()
            if let value = characteristic.value { fixed[characteristic.number] = Array(value) }
            let descriptors = (characteristic.descriptors ?? []).compactMap { $0 as? CBMutableDescriptor }
            return LocalCharacteristic(
                id: characteristic.number, uuid: characteristic.uuid.identity,
                properties: CharacteristicProperties(rawValue: .init(characteristic.properties.rawValue)),
                permissions: AttributePermissions(characteristic.permissions),
                descriptors: descriptors.map { descriptor in
                    descriptor.number = makeNumber()
                    fixed[descriptor.number] = descriptor.bytes
                    return LocalDescriptor(
                        id: descriptor.number, uuid: descriptor.uuid.identity, permissions: .readable,
                        value: Bytes(descriptor.bytes))
                })
        }
        object = service
        self.characteristics = mutable
        self.fixed = fixed
        local = LocalService(
            id: service.number, uuid: service.uuid.identity, isPrimary: service.isPrimary,
            includedServices: (service.includedServices ?? []).map(\.number), characteristics: characteristics)
    }

    private init(restored: RestoredPeripheral.Service, host: StandIn, central: (Central) -> CBCentral) {
        var fixed: [AttributeID: [UInt8]] = [:]
        object = CBMutableService(type: CBUUID(data: restored.uuid), primary: restored.isPrimary, host: host)
        object.number = restored.number
        characteristics = restored.characteristics.map { kept in
            let made = CBMutableCharacteristic(
                type: CBUUID(data: kept.uuid), properties: kept.properties, permissions: kept.permissions, host: host)
            made.number = kept.number
            made.value = kept.value
            if let value = kept.value { fixed[kept.number] = Array(value) }
            made.descriptors = kept.descriptors.map { descriptor in
                let uuid = CBUUID(data: descriptor.uuid)
                let value: Any =
                    uuid.identity.uint16 == 0x2901
                    ? NSString(string: String(decoding: descriptor.bytes, as: UTF8.self))
                    : NSData(data: Data(descriptor.bytes))
                let made = CBMutableDescriptor(type: uuid, value: value)
                made.number = descriptor.number
                fixed[descriptor.number] = descriptor.bytes
                return made
            }
            for subscriber in kept.subscribers { _ = made.subscribe(central(subscriber)) }
            return made
        }
        object.characteristics = characteristics
        self.fixed = fixed
        local = LocalService(id: restored.number, uuid: object.uuid.identity, includedServices: restored.included)
    }

    static func restore(
        _ kept: [RestoredPeripheral.Service], host: StandIn, central: (Central) -> CBCentral
    ) -> [PublishedService] {
        let made = kept.map { PublishedService(restored: $0, host: host, central: central) }
        for (service, kept) in zip(made, kept) where !kept.included.isEmpty {
            service.object.includedServices = made.map(\.object).filter { kept.included.contains($0.number) }
        }
        return made
    }

    /// The description that the system keeps.
    func memory(peer: (CBCentral) -> PeerIdentifier?) -> RestoredPeripheral.Service {
        RestoredPeripheral.Service(
            number: object.number, uuid: object.uuid.data, isPrimary: object.isPrimary,
            included: local.includedServices,
            characteristics: characteristics.map { characteristic in
                RestoredPeripheral.Characteristic(
                    number: characteristic.number, uuid: characteristic.uuid.data,
                    properties: characteristic.properties, permissions: characteristic.permissions,
                    value: fixed[characteristic.number].map { Data($0) },
                    descriptors: (characteristic.descriptors ?? []).compactMap { $0 as? CBMutableDescriptor }.map {
                        RestoredPeripheral.Descriptor(number: $0.number, uuid: $0.uuid.data, bytes: $0.bytes)
                    },
                    subscribers: (characteristic.subscribedCentrals ?? []).map {
                        Central(identifier: peer($0), maximumUpdateLength: $0.maximumUpdateValueLength)
                    })
            })
    }
}

extension AttributePermissions {
    fileprivate init(_ permissions: CBAttributePermissions) {
        self = []
        if permissions.contains(.readable) { insert(.readable) }
        if permissions.contains(.writeable) { insert(.writeable) }
        if permissions.contains(.readEncryptionRequired) { formUnion([.readable, .readEncryptionRequired]) }
        if permissions.contains(.writeEncryptionRequired) { formUnion([.writeable, .writeEncryptionRequired]) }
    }
}
