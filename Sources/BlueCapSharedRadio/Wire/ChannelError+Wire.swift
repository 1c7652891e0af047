// SPDX-License-Identifier: MIT

package import BlueCapCore

extension ChannelError: JournalCodable {
    /// The errors that have no values, in the order of their numbers.
    private static let plain: [Self] = [
        .channelsNotSupported, .emptyUnit, .tooManyChannels, .openTimeout, .publishTimeout, .closed,
        .peerExceededCredits, .peerExceededLength, .disconnected, .poweredOff, .invalidated, .cancelled,
    ]

    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .psmOutOfRange(let psm):
            encoder.put(UInt8(1))
            encoder.put(psm)
        case .psmTaken(let psm):
            encoder.put(UInt8(2))
            encoder.put(psm)
        case .unitTooLong(let count, let maximum):
            encoder.put(UInt8(3))
            encoder.put(UInt32(clamping: count))
            encoder.put(UInt32(clamping: maximum))
        case .refused(let refusal):
            encoder.put(UInt8(4))
            encoder.put(refusal) { $0.put($1.rawValue) }
        case .endedEarly(let count):
            encoder.put(UInt8(5))
            encoder.put(UInt32(clamping: count))
        case .noDelimiter(let maximum):
            encoder.put(UInt8(6))
            encoder.put(UInt32(clamping: maximum))
        case .pairingFailed(let failure):
            encoder.put(UInt8(7))
            encoder.put(failure)
        case .backend(let failure):
            encoder.put(UInt8(8))
            encoder.put(failure)
        case .channelsNotSupported, .emptyUnit, .tooManyChannels, .openTimeout, .publishTimeout, .closed,
            .peerExceededCredits, .peerExceededLength, .disconnected, .poweredOff, .invalidated, .cancelled:
            encoder.put(UInt8(9))
            encoder.put(self, of: Self.plain)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .psmOutOfRange(try decoder.number())
        case 2: self = .psmTaken(try decoder.number())
        case 3: self = .unitTooLong(count: try decoder.count(), maximum: try decoder.count())
        case 4:
            self = .refused(
                try decoder.optional { decoder throws(JournalFailure) in
                    ChannelRefusal(rawValue: try decoder.number())
                })
        case 5: self = .endedEarly(count: try decoder.count())
        case 6: self = .noDelimiter(maximum: try decoder.count())
        case 7: self = .pairingFailed(try decoder.value())
        case 8: self = .backend(try decoder.value())
        case 9: self = try decoder.choice(of: Self.plain)
        default: throw .corrupt
        }
    }
}
