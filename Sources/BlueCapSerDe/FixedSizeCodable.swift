// SPDX-License-Identifier: MIT

/// A value whose form in bytes always has the same number of bytes, so that arrays of it have a form in bytes too.
///
/// Numbers and the raw array and pair protocols conform by themselves. A ``RawDeserializable`` whose raw value is a
/// number conforms by declaring it, and a value with a coding of its own declares its size:
///
/// ```swift
/// enum Step: UInt8, RawDeserializable, FixedSizeCodable {
///     static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
///     case rest = 0, walk = 1, run = 2
/// }
/// let steps: [Step] = try SerDe.deserialize([1, 1, 2])
/// ```
public protocol FixedSizeCodable: ByteCodable {
    /// The size of every value in bytes, at least 1: the number of bytes that decoding reads and encoding appends.
    static var size: Int { get }

    /// Reads a number of values, one behind the other, little-endian.
    ///
    /// - Parameters:
    ///   - count: The number of values to read.
    ///   - reader: The reader to take them from.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when they are not all there; the error of the
    ///   type's own decoding.
    static func readArray(count: Int, from reader: inout ByteReader) throws(SerDeError) -> [Self]

    /// Appends all values, one behind the other, little-endian; traps when the span has no room for them.
    ///
    /// - Parameters:
    ///   - values: The values to append.
    ///   - output: The span to append them to.
    static func write(_ values: [Self], into output: inout OutputRawSpan)
}

extension FixedSizeCodable {
    /// The same as ``size``.
    @inlinable public var encodedByteCount: Int { Self.size }

    /// Reads the values one by one.
    ///
    /// - Parameters:
    ///   - count: The number of values to read.
    ///   - reader: The reader to take them from.
    /// - Throws: ``SerDeError/truncated(needed:available:offset:)`` when they are not all there, before any is read;
    ///   the error of the type's own decoding.
    @inlinable
    public static func readArray(count: Int, from reader: inout ByteReader) throws(SerDeError) -> [Self] {
        // Without it a number off the radio would decide how much memory values of no bytes take.
        precondition(size > 0, "an element of an array has at least one byte")
        let (needed, overflow) = count.multipliedReportingOverflow(by: size)
        guard count >= 0, !overflow, needed <= reader.remaining else {
            throw .truncated(needed: overflow ? .max : needed, available: reader.remaining, offset: reader.offset)
        }
        var values: [Self] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try Self(from: &reader)) }
        return values
    }

    /// Appends the values one by one; traps when the span has no room for them.
    ///
    /// - Parameters:
    ///   - values: The values to append.
    ///   - output: The span to append them to.
    @inlinable
    public static func write(_ values: [Self], into output: inout OutputRawSpan) {
        for value in values { value.encode(into: &output) }
    }
}

extension FixedSizeCodable where Self: RawDeserializable, RawType: FixedSizeCodable {
    /// The size of the raw value.
    @inlinable public static var size: Int { RawType.size }
}

extension RawDeserializable where Self: FixedSizeCodable {
    /// The same as ``FixedSizeCodable/size``.
    @inlinable public var encodedByteCount: Int { Self.size }
}
