// SPDX-License-Identifier: MIT

/// An unsigned integer of 48 bits in 6 bytes: `uint48` (GATT Specification Supplement, Data types).
@frozen
public struct UInt48: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt64

    /// The number, 0 through 281,474,976,710,655.
    public let value: UInt64

    /// The encoded value has 6 bytes.
    @inlinable public static var size: Int { 6 }

    /// Creates the number that the lowest 48 bits of an integer stand for.
    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt64(truncatingIfNeeded: source) & 0xffff_ffff_ffff
    }
}
