// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

extension CBMutableCharacteristic {
    /// Makes the object of a characteristic.
    ///
    /// G3: it has no value, so that each read asks for it; with one CoreBluetooth would raise an exception unless the
    /// characteristic is only read.
    static func make(_ local: LocalCharacteristic) -> Result<CBMutableCharacteristic, BackendFailure> {
        var descriptors: [CBMutableDescriptor] = []
        for descriptor in local.descriptors {
            switch CBMutableDescriptor.make(descriptor) {
            case .failure(let failure): return .failure(failure)
            case .success(let object): descriptors.append(object)
            }
        }
        let object = CBMutableCharacteristic(
            type: local.uuid.object, properties: local.properties.offered, value: nil,
            permissions: local.permissions.offered)
        if !descriptors.isEmpty { object.descriptors = descriptors }
        return .success(object)
    }

    /// Whether a restored characteristic is the same as one to be added.
    func isSame(as local: LocalCharacteristic) -> Bool {
        let descriptors = descriptors ?? []
        return BluetoothUUID(uuid) == local.uuid && properties == local.properties.offered
            && permissions == local.permissions.offered && descriptors.count == local.descriptors.count
            && zip(descriptors, local.descriptors).allSatisfy { object, local in
                BluetoothUUID(object.uuid) == local.uuid && Bytes(object: object.value) == local.value
            }
    }
}

extension CBMutableDescriptor {
    /// Makes the object of a descriptor, if CoreBluetooth takes it: any other one raises an exception (G4).
    fileprivate static func make(_ local: LocalDescriptor) -> Result<CBMutableDescriptor, BackendFailure> {
        guard let value = local.value else { return .failure(.descriptor) }
        switch local.uuid {
        case "2901":
            guard let text = String(validating: Array(value), as: UTF8.self) else { return .failure(.descriptor) }
            return .success(CBMutableDescriptor(type: local.uuid.object, value: text))
        case "2904" where value.count == 7:
            return .success(CBMutableDescriptor(type: local.uuid.object, value: value.data))
        default: return .failure(.descriptor)
        }
    }
}

extension CharacteristicProperties {
    /// G6: CoreBluetooth's bits, without the two properties that are not for local characteristics.
    fileprivate var offered: CBCharacteristicProperties {
        CBCharacteristicProperties(rawValue: UInt(subtracting([.broadcast, .extendedProperties]).rawValue))
    }
}

extension AttributePermissions {
    /// G6: CoreBluetooth knows encryption, which stands for the stronger permissions as well.
    fileprivate var offered: CBAttributePermissions {
        var offered: CBAttributePermissions = []
        let readsSecurely: AttributePermissions = [
            .readEncryptionRequired, .readAuthenticationRequired, .readSecureConnectionsRequired,
        ]
        let writesSecurely: AttributePermissions = [
            .writeEncryptionRequired, .writeAuthenticationRequired, .writeSecureConnectionsRequired,
        ]
        if contains(.readable) { offered.insert(.readable) }
        if contains(.writeable) { offered.insert(.writeable) }
        if !isDisjoint(with: readsSecurely) { offered.insert(.readEncryptionRequired) }
        if !isDisjoint(with: writesSecurely) { offered.insert(.writeEncryptionRequired) }
        return offered
    }
}

extension BackendFailure {
    fileprivate static var descriptor: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.descriptor",
            message: "CoreBluetooth offers the descriptors 2901, with a text, and 2904, with seven bytes, alone",
            advice: "leave other descriptors out, and give these a value before the service is added")
    }
}
#endif
