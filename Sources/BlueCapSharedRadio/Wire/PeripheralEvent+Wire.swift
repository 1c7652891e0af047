// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension PeripheralEvent: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .stateChanged(let state, let failure):
            encoder.put(UInt8(1))
            encoder.put(state)
            encoder.put(failure) { $0.put($1) }
        case .restored(let restoration):
            encoder.put(UInt8(2))
            encoder.put(restoration)
        case .servicePlaced(let service, let handle):
            encoder.put(UInt8(3))
            encoder.put(service.rawValue)
            encoder.put(handle)
        case .registrationsLost: encoder.put(UInt8(4))
        case .access(let access):
            encoder.put(UInt8(5))
            encoder.put(access)
        case .accessCancelled(let id):
            encoder.put(UInt8(6))
            encoder.put(id.rawValue)
        case .subscribed(let attribute, let central): encoder.put(7, attribute, central)
        case .subscriberChanged(let attribute, let central): encoder.put(8, attribute, central)
        case .unsubscribed(let attribute, let central): encoder.put(9, attribute, central)
        case .advertisingEnded(let id, let failure):
            encoder.put(UInt8(10))
            encoder.put(id.rawValue)
            encoder.put(failure)
        case .pairingRequested(let prompt):
            encoder.put(UInt8(11))
            encoder.put(prompt)
        case .pairingRequestEnded(let prompt):
            encoder.put(UInt8(12))
            encoder.put(prompt.rawValue)
        case .pairingUnavailable(let failure):
            encoder.put(UInt8(13))
            encoder.put(failure)
        case .reply(let id, let result):
            encoder.put(UInt8(14))
            encoder.put(id.rawValue)
            encoder.put(result) { _, _ in }
        case .centralConnected(let central):
            encoder.put(UInt8(15))
            encoder.put(central)
        case .centralChanged(let former, let central):
            encoder.put(UInt8(16))
            encoder.put(former)
            encoder.put(central)
        case .centralDisconnected(let central, let failure, let prepared):
            encoder.put(UInt8(17))
            encoder.put(central)
            encoder.put(failure) { $0.put($1) }
            encoder.put(prepared.sorted { $0.key.rawValue < $1.key.rawValue }) { encoder, parts in
                encoder.put(parts.key.rawValue)
                encoder.put(UInt32(clamping: parts.value))
            }
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .stateChanged(try decoder.value(), try decoder.failure())
        case 2: self = .restored(try decoder.value())
        case 3: self = .servicePlaced(try decoder.attribute(), handle: try decoder.number())
        case 4: self = .registrationsLost
        case 5: self = .access(try decoder.value())
        case 6: self = .accessCancelled(AccessID(rawValue: try decoder.number()))
        case 7: self = .subscribed(try decoder.attribute(), try decoder.value())
        case 8: self = .subscriberChanged(try decoder.attribute(), try decoder.value())
        case 9: self = .unsubscribed(try decoder.attribute(), try decoder.value())
        case 10: self = .advertisingEnded(AdvertisementID(rawValue: try decoder.number()), try decoder.value())
        case 11: self = .pairingRequested(try decoder.value())
        case 12: self = .pairingRequestEnded(PairingPromptID(rawValue: try decoder.number()))
        case 13: self = .pairingUnavailable(try decoder.value())
        case 14:
            self = .reply(
                RequestID(rawValue: try decoder.number()), try decoder.result { _ throws(JournalFailure) in () })
        case 15: self = .centralConnected(try decoder.value())
        case 16: self = .centralChanged(try decoder.value(), try decoder.value())
        case 17:
            let (central, failure) = (try decoder.value(PeerIdentifier.self), try decoder.failure())
            let prepared = try decoder.list { decoder throws(JournalFailure) in
                (try decoder.attribute(), try decoder.count())
            }
            self = .centralDisconnected(
                central, failure, prepared: Dictionary(prepared, uniquingKeysWith: { first, _ in first }))
        default: throw .corrupt
        }
    }
}

extension AttributeAccess: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        encoder.put(attribute.rawValue)
        encoder.put(central) { $0.put($1) }
        switch kind {
        case .read(let offset):
            encoder.put(UInt8(1))
            encoder.put(UInt16(clamping: offset))
        case .write(let value, let offset, let kind):
            encoder.put(UInt8(2))
            encoder.put(value)
            encoder.put(UInt16(clamping: offset))
            encoder.put(kind, of: WriteRequestKind.all)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let (id, attribute) = (AccessID(rawValue: try decoder.number()), try decoder.attribute())
        let central = try decoder.optional { decoder throws(JournalFailure) in try decoder.value(Central.self) }
        let kind: Kind
        switch try decoder.number(UInt8.self) {
        case 1: kind = .read(offset: Int(try decoder.number(UInt16.self)))
        case 2:
            kind = .write(
                try decoder.data(), offset: Int(try decoder.number(UInt16.self)),
                try decoder.choice(of: WriteRequestKind.all))
        default: throw .corrupt
        }
        self.init(id: id, attribute: attribute, central: central, kind: kind)
    }
}

extension Central: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(identifier) { $0.put($1) }
        encoder.put(maximumUpdateLength) { $0.put(UInt16(clamping: $1)) }
        encoder.put(security) { $0.put($1.rawValue) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            identifier: try decoder.optional { decoder throws(JournalFailure) in try decoder.value() },
            maximumUpdateLength: try decoder.optional { decoder throws(JournalFailure) in
                Int(try decoder.number(UInt16.self))
            },
            security: try decoder.optional { decoder throws(JournalFailure) in
                guard let security = LinkSecurity(rawValue: try decoder.number()) else { throw .corrupt }
                return security
            })
    }
}

extension WriteRequestKind {
    fileprivate static let all: [Self] = [.request, .command, .prepared, .unknown]
}

extension JournalEncoder {
    fileprivate mutating func put(_ tag: UInt8, _ attribute: AttributeID, _ central: Central) {
        put(tag)
        put(attribute.rawValue)
        put(central)
    }
}
