// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension ChannelPacket {
    /// The packet as it would be on a real link (Core Specification, Vol 3, Part A, 3.4 and 4.22 to 4.24).
    var frame: AirFrame {
        switch self {
        case .request(let identifier, let terms, let psm): .signal(0x14, identifier, psm.pair + terms.bytes)
        case .response(let identifier, _, .success(let terms)): .signal(0x15, identifier, terms.bytes + [0, 0])
        case .response(let identifier, _, .failure(let refusal)):
            .signal(0x15, identifier, Array(repeating: 0, count: 8) + refusal.rawValue.pair)
        case .credits(let identifier, let source, let count):
            .signal(0x16, identifier, source.pair + UInt16(clamping: count).pair)
        case .disconnect(let identifier, let destination, let source):
            .signal(0x06, identifier, destination.pair + source.pair)
        case .disconnected(let identifier, let destination, let source):
            .signal(0x07, identifier, destination.pair + source.pair)
        case .frame(let destination, let unitLength, let bytes):
            AirFrame(
                channel: destination, payload: (unitLength.map { UInt16(clamping: $0).pair } ?? []) + Array(bytes))
        }
    }
}

extension ChannelTerms {
    /// The number, the longest unit, the longest part and the credits.
    fileprivate var bytes: [UInt8] {
        let lengths = UInt16(clamping: maximumUnitLength).pair + UInt16(clamping: maximumFrameLength).pair
        return source.pair + lengths + UInt16(clamping: credits).pair
    }
}

extension AirFrame {
    fileprivate static func signal(_ code: UInt8, _ identifier: UInt8, _ data: [UInt8]) -> AirFrame {
        AirFrame(channel: signalingChannel, payload: [code, identifier] + UInt16(clamping: data.count).pair + data)
    }
}
