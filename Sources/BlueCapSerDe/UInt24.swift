// SPDX-License-Identifier: MIT

/// An unsigned integer of 24 bits in 3 bytes: `uint24` (GATT Specification Supplement, Data types).
@frozen
public struct UInt24: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt32

    /// The number, 0 through 16,777,215.
    public let value: UInt32

    /// The encoded value has 3 bytes.
    @inlinable public static var size: Int { 3 }

    /// Creates the number that the lowest 24 bits of an integer stand for.
    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt32(truncatingIfNeeded: source) & 0xff_ffff
    }
}
