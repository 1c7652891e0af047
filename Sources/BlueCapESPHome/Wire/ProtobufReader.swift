// SPDX-License-Identifier: MIT

/// Reads the encoding of Protocol Buffers: varints, and fields with a number and a kind.
package struct ProtobufReader {
    /// A value as it is encoded, before its field says the type.
    package enum Value: Hashable, Sendable {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed32(UInt32)
    }

    private static let longestVarint = 10

    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    package init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

    package var isAtEnd: Bool { position == bytes.endIndex }

    /// The next field with its number; nil at the end.
    package mutating func field() throws(WireError) -> (number: UInt64, value: Value)? {
        if isAtEnd { return nil }
        let key = try varint()
        guard key >> 3 > 0 else { throw .malformed }
        let value: Value =
            switch key & 7 {
            case 0: .varint(try varint())
            case 1: .fixed64(try fixed(8))
            case 2: .bytes(try counted())
            case 5: .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
            default: throw .malformed
            }
        return (key >> 3, value)
    }

    package mutating func varint() throws(WireError) -> UInt64 {
        guard let number = try partialVarint() else { throw .malformed }
        return number
    }

    /// A number of a frame's head; nil while its last byte is not there.
    mutating func head(atMost limit: Int) throws(WireError) -> Int? {
        guard let number = try partialVarint() else { return nil }
        guard number <= UInt64(limit) else { throw .tooLong }
        return Int(truncatingIfNeeded: number)
    }

    /// So many bytes; nil, and none are taken, while they are not all there.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.endIndex - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A varint; nil where the bytes end within it.
    private mutating func partialVarint() throws(WireError) -> UInt64? {
        var number: UInt64 = 0
        for place in 0..<Self.longestVarint {
            guard position + place < bytes.endIndex else { return nil }
            let byte = bytes[position + place]
            number |= UInt64(byte & 0x7F) << (7 * UInt64(place))
            if byte & 0x80 == 0 {
                position += place + 1
                return number
            }
        }
        throw .malformed
    }

    private mutating func counted() throws(WireError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try varint()), let value = take(count) else { throw .malformed }
        return value
    }

    /// A number of four or eight bytes, little-endian.
    private mutating func fixed(_ count: Int) throws(WireError) -> UInt64 {
        guard let field = take(count) else { throw .malformed }
        return field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
