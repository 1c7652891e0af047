// SPDX-License-Identifier: MIT

/// A value that can be read from bytes.
public protocol ByteDecodable: Sendable {
    /// Reads one value and leaves the reader behind it.
    ///
    /// - Throws: ``SerDeError`` when bytes are missing, or are not what the type allows. It must not trap: the bytes come
    ///   from a radio.
    init(from reader: inout ByteReader) throws(SerDeError)

    /// What ``SerDe`` does with bytes behind a value of this type unless told otherwise: reject them by default.
    static var surplusBytes: SurplusBytes { get }
}

extension ByteDecodable {
    /// Surplus bytes are rejected.
    @inlinable public static var surplusBytes: SurplusBytes { .reject }
}

/// A value that can be written as bytes.
public protocol ByteEncodable: Sendable {
    /// The most bytes that ``encode(into:)`` appends.
    var encodedByteCount: Int { get }

    /// Appends the value's bytes. Appending more than ``encodedByteCount`` traps and never writes past the end.
    func encode(into output: inout OutputRawSpan)
}

/// A value with a form in bytes that is both read and written.
public typealias ByteCodable = ByteDecodable & ByteEncodable

/// The value of one kind of characteristic: its form in bytes, and the UUID under which peers offer it.
///
/// This is what `peripheral.characteristic(Enabled.self)` takes. ``RawDeserializable`` and ``RawArrayDeserializable``
/// refine it and bring the coding with them.
public protocol CharacteristicValue: ByteCodable {
    /// The UUID of the characteristic.
    static var uuid: BluetoothUUID { get }
}

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

    /// False.
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
