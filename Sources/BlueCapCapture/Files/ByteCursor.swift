// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reads fields of a slice in order, numbers with a ``ByteReader``. Each read that would go past the end gives nil and
/// moves nothing, and bytes are taken without a copy.
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

    var remaining: Int { rest.count }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    mutating func takeRest() -> ArraySlice<UInt8> {
        defer { rest = rest.suffix(0) }
        return rest
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func byte() -> UInt8? { rest.popFirst() }

    /// A little-endian number.
    mutating func little<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number? {
        number(.littleEndian, type)
    }

    /// A big-endian number.
    mutating func big<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number? {
        number(.bigEndian, type)
    }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ order: ByteOrder, _ type: Number.Type = Number.self
    ) -> Number? {
        take(MemoryLayout<Number>.size).flatMap { field in
            // SAFETY: a view of bytes as bytes, which the reader borrows.
            var reader = unsafe ByteReader(field.span.bytes)
            return try? reader.read(type, order)
        }
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
