// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension ChannelRequest: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        switch operation {
        case .open(let peer, let psm, let isEncrypted, let maximum):
            encoder.put(UInt8(1))
            encoder.put(peer)
            encoder.put(psm)
            encoder.put(isEncrypted)
            encoder.put(UInt32(clamping: maximum))
        case .publish(let psm, let isEncrypted, let maximum):
            encoder.put(UInt8(2))
            encoder.put(psm) { $0.put($1) }
            encoder.put(isEncrypted)
            encoder.put(UInt32(clamping: maximum))
        case .send(let channel, let unit):
            encoder.put(UInt8(3))
            encoder.put(channel)
            encoder.put(unit)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let id = RequestID(rawValue: try decoder.number())
        let operation: ChannelOperation
        switch try decoder.number(UInt8.self) {
        case 1:
            let peer: PeerIdentifier = try decoder.value()
            operation = .open(
                peer, psm: try decoder.psm(in: 1...0xFF), isEncrypted: try decoder.flag(),
                maximumReceiveLength: try decoder.unitLength())
        case 2:
            let psm = try decoder.optional { decoder throws(JournalFailure) in try decoder.psm(in: 0x80...0xFF) }
            operation = .publish(
                psm: psm, isEncrypted: try decoder.flag(), maximumReceiveLength: try decoder.unitLength())
        case 3:
            let channel = try decoder.channel()
            let unit = try decoder.unit()
            if unit.isEmpty { throw .corrupt }
            operation = .send(channel, unit)
        default: throw .corrupt
        }
        self.init(id: id, operation: operation)
    }
}

extension ChannelCommand: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .allow(let channel, let count):
            encoder.put(UInt8(1))
            encoder.put(channel)
            encoder.put(UInt32(clamping: count))
        case .close(let channel):
            encoder.put(UInt8(2))
            encoder.put(channel)
        case .withdraw(let psm):
            encoder.put(UInt8(3))
            encoder.put(psm)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .allow(try decoder.channel(), count: try decoder.count())
        case 2: self = .close(try decoder.channel())
        case 3: self = .withdraw(psm: try decoder.number())
        default: throw .corrupt
        }
    }
}

extension JournalEncoder {
    mutating func put(_ channel: ChannelID) { put(channel.rawValue) }
}

extension JournalDecoder {
    mutating func channel() throws(JournalFailure) -> ChannelID { ChannelID(rawValue: try number()) }

    mutating func psm(in range: ClosedRange<UInt16>) throws(JournalFailure) -> UInt16 {
        let psm: UInt16 = try number()
        guard range.contains(psm) else { throw .corrupt }
        return psm
    }

    /// The most bytes of a unit (Core Specification, Vol 3, Part A, 4.22).
    mutating func unitLength() throws(JournalFailure) -> Int {
        let length = try count()
        guard (23...65_535).contains(length) else { throw .corrupt }
        return length
    }

    mutating func unit() throws(JournalFailure) -> Bytes {
        let unit = try data()
        guard unit.count <= 65_535 else { throw .corrupt }
        return unit
    }
}
