// SPDX-License-Identifier: MIT

/// An unsigned integer of 40 bits in 5 bytes: `uint40` (GATT Specification Supplement, Data types).
@frozen
public struct UInt40: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = UInt64

    /// The number, 0 through 1,099,511,627,775.
    public let value: UInt64

    /// The encoded value has 5 bytes.
    @inlinable public static var size: Int { 5 }

    /// Creates the number that the lowest 40 bits of an integer stand for.
    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = UInt64(truncatingIfNeeded: source) & 0xff_ffff_ffff
    }
}
