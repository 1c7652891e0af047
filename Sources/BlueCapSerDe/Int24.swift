// SPDX-License-Identifier: MIT

/// A signed integer of 24 bits in 3 bytes: `sint24` (GATT Specification Supplement, Data types).
@frozen
public struct Int24: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = Int32

    /// The number, −8,388,608 through 8,388,607.
    public let value: Int32

    /// The encoded value has 3 bytes.
    @inlinable public static var size: Int { 3 }

    /// Creates the number that the lowest 24 bits of an integer stand for, in two's complement.
    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = (Int32(truncatingIfNeeded: source) << 8) >> 8
    }
}
