// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension PeripheralOperation: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .add(let service):
            encoder.put(UInt8(1))
            encoder.put(service)
        case .remove(let service):
            encoder.put(UInt8(2))
            encoder.put(service.rawValue)
        case .advertise(let id, let advertisement):
            encoder.put(UInt8(3))
            encoder.put(id.rawValue)
            encoder.put(advertisement)
        case .updateAdvertisement(let id, let advertisement):
            encoder.put(UInt8(4))
            encoder.put(id.rawValue)
            encoder.put(advertisement)
        case .stopAdvertising(let id):
            encoder.put(UInt8(5))
            encoder.put(id.rawValue)
        case .update(let attribute, let value, let central):
            encoder.put(UInt8(6))
            encoder.put(attribute.rawValue)
            encoder.put(value)
            encoder.put(central) { $0.put($1) }
        case .disconnect(let central, let reason):
            encoder.put(UInt8(7))
            encoder.put(central)
            encoder.put(reason, of: CentralDisconnectReason.all)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .add(try decoder.value())
        case 2: self = .remove(try decoder.attribute())
        case 3: self = .advertise(AdvertisementID(rawValue: try decoder.number()), try decoder.value())
        case 4: self = .updateAdvertisement(AdvertisementID(rawValue: try decoder.number()), try decoder.value())
        case 5: self = .stopAdvertising(AdvertisementID(rawValue: try decoder.number()))
        case 6:
            self = .update(
                try decoder.attribute(), try decoder.data(),
                central: try decoder.optional { decoder throws(JournalFailure) in try decoder.value() })
        case 7: self = .disconnect(try decoder.value(), try decoder.choice(of: CentralDisconnectReason.all))
        default: throw .corrupt
        }
    }
}

extension CentralDisconnectReason {
    fileprivate static let all: [Self] = [.userTerminated, .lowResources]
}

extension LocalService: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        encoder.put(uuid)
        encoder.put(isPrimary)
        encoder.put(handle) { $0.put($1) }
        encoder.put(includedServices) { $0.put($1.rawValue) }
        encoder.put(characteristics) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            id: try decoder.attribute(), uuid: try decoder.uuid(), isPrimary: try decoder.flag(),
            handle: try decoder.optional { decoder throws(JournalFailure) in try decoder.number() },
            includedServices: try decoder.list { decoder throws(JournalFailure) in try decoder.attribute() },
            characteristics: try decoder.list { decoder throws(JournalFailure) in try decoder.value() })
    }
}

extension LocalCharacteristic: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        encoder.put(uuid)
        encoder.put(properties.rawValue)
        encoder.put(permissions.rawValue)
        encoder.put(descriptors) {
            $0.put($1.id.rawValue)
            $0.put($1.uuid)
            $0.put($1.permissions.rawValue)
            $0.put($1.value) { $0.put($1) }
        }
        encoder.put(usesWriteSocket)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            id: try decoder.attribute(), uuid: try decoder.uuid(),
            properties: CharacteristicProperties(rawValue: try decoder.number()),
            permissions: AttributePermissions(rawValue: try decoder.number()),
            descriptors: try decoder.list { decoder throws(JournalFailure) in
                LocalDescriptor(
                    id: try decoder.attribute(), uuid: try decoder.uuid(),
                    permissions: AttributePermissions(rawValue: try decoder.number()),
                    value: try decoder.optional { decoder throws(JournalFailure) in try decoder.data() })
            },
            usesWriteSocket: try decoder.flag())
    }
}
