// SPDX-License-Identifier: MIT

extension Int8: Deserializable {}
extension Int16: Deserializable {}
extension Int32: Deserializable {}
extension Int64: Deserializable {}
extension UInt8: Deserializable {}
extension UInt16: Deserializable {}
extension UInt32: Deserializable {}
extension UInt64: Deserializable {}

// No @inline(__always) on a function that satisfies a protocol's requirement: with it, calls by way of the protocol
// from other modules are not resolved at compile time (Swift 6.3.1), and reading a number costs four times as much.
extension Deserializable where Self: FixedWidthInteger {
    /// Every pattern of bits is a value.
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// Reads the integer, little-endian.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self = try reader.read(Self.self, .littleEndian)
    }

    /// Appends the integer, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(self) }

    /// Reads little-endian integers with one check and one copy.
    ///
    /// - Parameters:
    ///   - count: The number of integers to read.
    ///   - reader: The reader to take them from.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when they are not all there; then none is read.
    @inlinable
    public static func readArray(count: Int, from reader: inout ByteReader) throws(SerDeError) -> [Self] {
        try reader.readArray(of: Self.self, count: count)
    }

    /// Appends integers, little-endian, with one check and one copy; traps when the span has no room for them all.
    ///
    /// - Parameters:
    ///   - values: The integers to append.
    ///   - output: The span to append them to.
    @inlinable
    public static func write(_ values: [Self], into output: inout OutputRawSpan) {
        output.write(contentsOf: values)
    }
}

extension Float: Deserializable {
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// Reads the IEEE 754 number from 4 bytes, little-endian.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self.init(bitPattern: try reader.read(UInt32.self, .littleEndian))
    }

    /// Appends the IEEE 754 number in 4 bytes, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(bitPattern) }
}

extension Double: Deserializable {
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// Reads the IEEE 754 number from 8 bytes, little-endian.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self.init(bitPattern: try reader.read(UInt64.self, .littleEndian))
    }

    /// Appends the IEEE 754 number in 8 bytes, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(bitPattern) }
}

extension Bool: Deserializable {
    /// Reads one byte: 0 is false, 1 is true, and anything else is an ``SerDeError/invalidValue(offset:)``.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        switch try reader.read(UInt8.self, .littleEndian) {
        case 0: self = false
        case 1: self = true
        default: throw .invalidValue(offset: start)
        }
    }

    /// Appends one byte, 0 or 1.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(UInt8(self ? 1 : 0)) }
}

extension Bytes: ByteDecodable, ByteEncodable {
    /// Takes all bytes that are left.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        self = try reader.readBytes(reader.remaining)
    }

    @inlinable public var encodedByteCount: Int { count }

    /// Appends the bytes as they are.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(self) }
}

extension String: ByteDecodable, ByteEncodable {
    /// Takes all bytes that are left. The text ends before the first zero, as UTF-8: devices send texts that end with a
    /// zero, or are filled up with zeros. Throws ``SerDeError/invalidText(offset:)`` when it is not UTF-8.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let text = try reader.readString(byteCount: reader.countBeforeZero)
        try reader.skip(reader.remaining)
        self = text
    }

    @inlinable public var encodedByteCount: Int { utf8.count }

    /// Appends the text in UTF-8.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { output.write(self) }
}
