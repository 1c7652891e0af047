// SPDX-License-Identifier: MIT

/// Cuts the bytes of a connection into frames, in whichever pieces they come.
///
/// It keeps no more than the bytes of a frame that is not whole, and refuses a frame that is too long by its first
/// bytes.
package struct FrameCutter: Sendable {
    package enum Kind: Sendable {
        case clear
        case sealed
    }

    /// The longest body that the firmware takes, which is room for all that a client asks.
    package static let longestRequest = 32_768

    private let kind: Kind
    /// The longest body or payload of a frame, in bytes.
    package var limit: Int
    private var bytes: [UInt8] = []
    /// Where the next frame begins.
    private var start = 0

    package init(_ kind: Kind, limit: Int = longestRequest) { (self.kind, self.limit) = (kind, limit) }

    /// The bytes that wait for the rest of their frame.
    package var waitingCount: Int { bytes.count - start }

    /// Takes the next bytes of the connection. Take all frames by ``next()`` before there are more.
    package mutating func append(_ piece: some Collection<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes += piece
    }

    /// The next frame, once it is whole.
    package mutating func next() throws(WireError) -> Frame? {
        guard start < bytes.count else { return nil }
        switch kind {
        case .clear:
            guard bytes[start] == Frame.clearIndicator else { throw .badIndicator(bytes[start]) }
            var reader = ProtobufReader(bytes[(start + 1)...])
            // A length is refused before the rest of its head is there.
            guard let length = try reader.head(atMost: limit), let number = try reader.head(atMost: 0xFFFF),
                let body = reader.take(length)
            else { return nil }
            start = reader.position
            return .clear(RawMessage(number: UInt16(number), body: body))
        case .sealed:
            guard bytes[start] == Frame.sealedIndicator else { throw .badIndicator(bytes[start]) }
            guard start + 3 <= bytes.count else { return nil }
            let length = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            guard length <= limit else { throw .tooLong }
            let payload = start + 3..<start + 3 + length
            guard payload.upperBound <= bytes.count else { return nil }
            start = payload.upperBound
            return .sealed(bytes[payload])
        }
    }
}
