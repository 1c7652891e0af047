// SPDX-License-Identifier: MIT

package import BlueCapSerDe

/// Reads the fields of a journal. Nothing in a file makes it trap or read past the end, on machines of 32 bits either,
/// and the memory that it takes is a small multiple of the file.
package struct JournalDecoder {
    private let bytes: ArraySlice<UInt8>
    /// The number of the format, see ``JournalFormat``.
    let version: UInt16
    private(set) var position = 0

    package init(_ bytes: [UInt8], version: UInt16 = JournalFormat.version) {
        self.bytes = bytes[...]
        self.version = version
    }

    package var remaining: Int { bytes.count - position }

    /// Reads at the position with a reader, and leaves the position behind the value.
    private mutating func read<Value>(
        _ body: (inout ByteReader) throws(SerDeError) -> Value
    ) throws(JournalFailure) -> Value {
        do throws(SerDeError) {
            // SAFETY: a view of bytes as bytes, which the reader borrows.
            var reader = unsafe ByteReader(bytes.span.bytes)
            try reader.skip(position)
            let value = try body(&reader)
            position = reader.offset
            return value
        } catch {
            throw .corrupt
        }
    }

    package mutating func take(_ count: Int) throws(JournalFailure) -> Bytes {
        try read { reader throws(SerDeError) in try reader.readBytes(count) }
    }

    package mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(JournalFailure) -> Number {
        try read { reader throws(SerDeError) in try reader.read(type, .littleEndian) }
    }

    /// A number of 64 bits, where this machine has as many.
    package mutating func integer() throws(JournalFailure) -> Int {
        guard let number = Int(exactly: try number(Int64.self)) else { throw .corrupt }
        return number
    }

    package mutating func flag() throws(JournalFailure) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .corrupt
        }
    }

    /// A number of bytes or elements. One that this machine cannot count is more than any file has.
    private mutating func count() throws(JournalFailure) -> Int { Int(clamping: try number(UInt32.self)) }

    package mutating func data() throws(JournalFailure) -> Bytes { try take(count()) }

    package mutating func text() throws(JournalFailure) -> String {
        let count = try count()
        return try read { reader throws(SerDeError) in try reader.readString(byteCount: count) }
    }

    package mutating func uuid() throws(JournalFailure) -> BluetoothUUID {
        try read { reader throws(SerDeError) in try reader.readUUID128() }
    }

    package mutating func duration() throws(JournalFailure) -> Duration {
        let count = try number(Int64.self)
        guard count >= 0 else { throw .corrupt }
        return .nanoseconds(count)
    }

    package mutating func value<Value: JournalCodable>(_ type: Value.Type = Value.self) throws(JournalFailure) -> Value
    {
        try Value(from: &self)
    }

    package mutating func optional<Value>(
        _ decode: (inout JournalDecoder) throws(JournalFailure) -> Value
    ) throws(JournalFailure) -> Value? {
        try flag() ? try decode(&self) : nil
    }

    package mutating func list<Value>(
        _ decode: (inout JournalDecoder) throws(JournalFailure) -> Value
    ) throws(JournalFailure) -> [Value] {
        let count = try count()
        // Each element has a byte at least, so a count cannot promise more than there is.
        guard count <= remaining else { throw .corrupt }
        var list: [Value] = []
        for _ in 0..<count { list.append(try decode(&self)) }
        return list
    }
}
