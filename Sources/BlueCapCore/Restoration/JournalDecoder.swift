// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reads the fields of a journal. Nothing in a file makes it trap or read past the end, on machines of 32 bits either,
/// and what it takes of memory is a small multiple of the file.
struct JournalDecoder {
    private let bytes: [UInt8]
    /// The number of the format, see ``JournalFormat``.
    let version: UInt16
    private(set) var position = 0

    init(_ bytes: [UInt8], version: UInt16 = JournalFormat.version) {
        self.bytes = bytes
        self.version = version
    }

    var remaining: Int { bytes.count - position }

    mutating func take(_ count: Int) throws(JournalFailure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .corrupt }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(JournalFailure) -> Number
    {
        try take(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// A number of 64 bits, where this machine has as many.
    mutating func integer() throws(JournalFailure) -> Int {
        guard let number = Int(exactly: try number(Int64.self)) else { throw .corrupt }
        return number
    }

    mutating func flag() throws(JournalFailure) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .corrupt
        }
    }

    /// A number of bytes or elements. One that this machine cannot count is more than any file has.
    private mutating func count() throws(JournalFailure) -> Int { Int(clamping: try number(UInt32.self)) }

    mutating func data() throws(JournalFailure) -> Bytes { Bytes(try take(count())) }

    mutating func text() throws(JournalFailure) -> String {
        let count = try count()
        guard let text = String(validating: try take(count), as: UTF8.self) else { throw .corrupt }
        return text
    }

    mutating func uuid() throws(JournalFailure) -> BluetoothUUID {
        guard let uuid = try? BluetoothUUID(littleEndianBytes: try take(16)) else { throw .corrupt }
        return uuid
    }

    mutating func duration() throws(JournalFailure) -> Duration {
        let count = try number(Int64.self)
        guard count >= 0 else { throw .corrupt }
        return .nanoseconds(count)
    }

    mutating func value<Value: JournalCodable>(_ type: Value.Type = Value.self) throws(JournalFailure) -> Value {
        try Value(from: &self)
    }

    mutating func optional<Value>(
        _ decode: (inout JournalDecoder) throws(JournalFailure) -> Value
    ) throws(JournalFailure) -> Value? {
        try flag() ? try decode(&self) : nil
    }

    mutating func list<Value>(
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
