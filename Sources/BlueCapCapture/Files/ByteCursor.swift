// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reads fields of bytes in order. Each read that would go past the end gives nil and moves nothing.
struct ByteCursor {
    private var rest: ArraySlice<UInt8>
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        start = bytes.startIndex
    }

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    init(_ bytes: Bytes) { self.init(bytes.array[...]) }

    /// How many bytes were read.
    var offset: Int { rest.startIndex - start }

    /// How many bytes are left.
    var remaining: Int { rest.count }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    /// Takes the remaining bytes.
    mutating func takeRest() -> ArraySlice<UInt8> {
        defer { rest = rest.suffix(0) }
        return rest
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// A little-endian number.
    mutating func little<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        take(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A big-endian number.
    mutating func big<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        take(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A number in either byte order.
    mutating func number<Number: FixedWidthInteger>(_ order: ByteOrder, _ type: Number.Type = Number.self) -> Number? {
        order == .littleEndian ? little() : big()
    }

    /// A number of 32 bits as a count; on a machine with a narrower `Int`, one that does not fit is its greatest.
    mutating func count(_ order: ByteOrder) -> Int? { number(order, UInt32.self).map { Int(clamping: $0) } }

    /// A UUID of 2 or 16 bytes.
    mutating func uuid(byteCount: Int) -> BluetoothUUID? {
        take(byteCount).flatMap { try? BluetoothUUID(littleEndianBytes: $0) }
    }
}

extension Bytes {
    /// The bytes, copied at once rather than one by one.
    var array: [UInt8] { unsafe withContiguousStorageIfAvailable { unsafe Array($0) } ?? Array(self) }
}

/// Writes fields one after another.
struct ByteBuilder {
    var bytes: [UInt8] = []

    mutating func put(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

    mutating func put(byte: UInt8) { bytes.append(byte) }

    mutating func put(bytes: [UInt8]) { self.bytes += bytes }

    mutating func put(little number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    mutating func put(big number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Zeros up to a multiple of `alignment` bytes.
    mutating func pad(to alignment: Int) {
        while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
    }
}
