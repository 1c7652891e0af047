// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension OperationFailure: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .att(let error):
            encoder.put(UInt8(1))
            encoder.put(error.rawValue)
        case .disconnected: encoder.put(UInt8(2))
        case .poweredOff: encoder.put(UInt8(3))
        case .unsupported: encoder.put(UInt8(4))
        case .rssiUnavailable: encoder.put(UInt8(5))
        case .advertisingOption(let option):
            encoder.put(UInt8(6))
            encoder.put(option.rawValue)
        case .pairing(let failure):
            encoder.put(UInt8(7))
            encoder.put(failure)
        case .backend(let failure):
            encoder.put(UInt8(8))
            encoder.put(failure)
        case .valueTooLong(let count, let maximum):
            encoder.put(UInt8(9))
            encoder.put(UInt32(clamping: count))
            encoder.put(UInt32(clamping: maximum))
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .att(ATTError(rawValue: try decoder.number()))
        case 2: self = .disconnected
        case 3: self = .poweredOff
        case 4: self = .unsupported
        case 5: self = .rssiUnavailable
        case 6:
            guard let option = AdvertisingOption(rawValue: try decoder.text()) else { throw .corrupt }
            self = .advertisingOption(option)
        case 7: self = .pairing(try decoder.value())
        case 8: self = .backend(try decoder.value())
        case 9:
            self = .valueTooLong(
                count: try decoder.count(), maximum: try decoder.count())
        default: throw .corrupt
        }
    }
}

extension BackendFailure: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(name)
        encoder.put(message)
        encoder.put(advice) { $0.put($1) }
        encoder.put(isTransient)
        encoder.put(isGoodbye)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            name: try decoder.text(), message: try decoder.text(),
            advice: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() },
            isTransient: try decoder.flag())
        isGoodbye = try decoder.flag()
    }
}

extension PairingFailure: JournalCodable {
    private static let all: [Self] = [.rejected, .cancelled, .timeout, .failed]

    package func encode(into encoder: inout JournalEncoder) { encoder.put(self, of: Self.all) }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) { self = try decoder.choice(of: Self.all) }
}

extension ManagerState: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) { encoder.put(self, of: Self.allCases) }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self = try decoder.choice(of: Self.allCases)
    }
}

extension PeerIdentifier: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) { encoder.put(text) }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) { self.init(try decoder.text()) }
}

extension JournalEncoder {
    /// Puts the place of a value among all of its type.
    mutating func put<Choice: Equatable>(_ value: Choice, of all: [Choice]) {
        put(UInt8(truncatingIfNeeded: all.firstIndex(of: value) ?? all.count))
    }
}

extension JournalDecoder {
    /// A number that was written as an UInt32.
    mutating func count() throws(JournalFailure) -> Int { Int(clamping: try number(UInt32.self)) }

    mutating func choice<Choice>(of all: [Choice]) throws(JournalFailure) -> Choice {
        let place = Int(try number(UInt8.self))
        guard all.indices.contains(place) else { throw .corrupt }
        return all[place]
    }

    mutating func uuids() throws(JournalFailure) -> [BluetoothUUID] {
        try list { decoder throws(JournalFailure) in try decoder.uuid() }
    }

    mutating func attribute() throws(JournalFailure) -> AttributeID { AttributeID(rawValue: try number()) }
}
