// SPDX-License-Identifier: MIT

/// A frame of the native API, of one of the two kinds of connections.
package enum Frame: Hashable, Sendable {
    /// Of a connection in clear text: `00`, the body's length and the number as varints, the body.
    case clear(RawMessage)
    /// Of a connection that is encrypted: `01`, the length in two bytes, big-endian, and so many bytes.
    case sealed(ArraySlice<UInt8>)

    /// The first byte of each kind.
    static let (clearIndicator, sealedIndicator) = (UInt8(0), UInt8(1))

    /// The longest body of a message that fits into an encrypted frame.
    static let longestBody = 0xFFFF - 20

    package var bytes: [UInt8] {
        switch self {
        case .clear(let message):
            var writer = ProtobufWriter(bytes: [Self.clearIndicator])
            writer.varint(UInt64(message.body.count))
            writer.varint(UInt64(message.number))
            return writer.bytes + message.body
        case .sealed(let payload): return [Self.sealedIndicator] + Self.bigEndian(payload.count) + payload
        }
    }

    /// A number in two bytes.
    static func bigEndian(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
