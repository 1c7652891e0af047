// SPDX-License-Identifier: MIT

/// A number of a fixed size, the unit that the raw protocols are made of.
public protocol Deserializable: ByteCodable, BitwiseCopyable {
    /// The size in bytes.
    static var size: Int { get }

    /// Whether any bytes of this size are a value, so that decoding throws nothing but
    /// ``SerDeError/truncated(needed:available:offset:)`` and ``PackedArray`` need not look at each element; false by
    /// default.
    static var acceptsEveryPattern: Bool { get }

    /// Reads a number of values, little-endian.
    static func readArray(count: Int, from reader: inout ByteReader) throws(SerDeError) -> [Self]

    /// Appends all values, little-endian.
    static func write(_ values: [Self], into output: inout OutputRawSpan)
}

extension Deserializable {
    /// The size of the type in memory.
    @inlinable public static var size: Int { MemoryLayout<Self>.size }

    /// Some patterns of bits are no value.
    @inlinable public static var acceptsEveryPattern: Bool { false }

    /// The same as ``size``.
    @inlinable public var encodedByteCount: Int { Self.size }

    /// Reads the values one by one.
    @inlinable
    public static func readArray(count: Int, from reader: inout ByteReader) throws(SerDeError) -> [Self] {
        let (needed, overflow) = count.multipliedReportingOverflow(by: size)
        guard count >= 0, !overflow, needed <= reader.remaining else {
            throw .truncated(needed: overflow ? .max : needed, available: reader.remaining, offset: reader.offset)
        }
        var values: [Self] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try Self(from: &reader)) }
        return values
    }

    /// Appends the values one by one.
    @inlinable
    public static func write(_ values: [Self], into output: inout OutputRawSpan) {
        for value in values { value.encode(into: &output) }
    }
}
