// SPDX-License-Identifier: MIT

/// Bit flags with a form in bytes, little-endian: most values with optional fields begin with one.
///
/// ```swift
/// struct Flags: FlagSet {
///     let rawValue: UInt8
///     static let is16Bit = Flags(rawValue: 1 << 0)
///     static let hasEnergy = Flags(rawValue: 1 << 3)
/// }
/// let flags: Flags = try reader.read()
/// ```
///
/// Bits without a name are kept: a reader must ignore the bits reserved for future use, and not refuse them (Core
/// Specification, Vol 1, Part E, 2.7.1). A type with `static let size = 3` over a `UInt32` takes three bytes.
public protocol FlagSet: OptionSet, Deserializable where RawValue: FixedWidthInteger & Deserializable {
    /// Creates the flags for a raw value; every one is allowed.
    init(rawValue: RawValue)
}

extension FlagSet {
    /// Every pattern of bits is a value.
    @inlinable public static var acceptsEveryPattern: Bool { true }

    /// The size of the raw value, unless the type says that it takes less.
    @inlinable public static var size: Int { RawValue.size }

    /// Reads the raw value, little-endian.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) {
        if Self.size == RawValue.size {
            self.init(rawValue: try RawValue(from: &reader))
            return
        }
        let start = try reader.claim(Self.size)
        var bits: UInt64 = 0
        for index in 0..<Self.size {
            // SAFETY: in bounds, since the bytes were claimed.
            let byte = unsafe reader.bytes.unsafeLoad(fromUncheckedByteOffset: start &+ index, as: UInt8.self)
            bits |= UInt64(byte) << UInt64(8 &* index)
        }
        self.init(rawValue: RawValue(truncatingIfNeeded: bits))
    }

    /// Appends the raw value, little-endian.
    @inlinable
    public func encode(into output: inout OutputRawSpan) {
        for index in 0..<Self.size {
            output.write(UInt8(truncatingIfNeeded: rawValue >> RawValue(truncatingIfNeeded: 8 &* index)))
        }
    }
}
