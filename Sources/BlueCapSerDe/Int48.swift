// SPDX-License-Identifier: MIT

/// A signed integer of 48 bits in 6 bytes: `sint48` (GATT Specification Supplement, Data types).
@frozen
public struct Int48: NarrowInteger {
    /// Literals are read as the type of ``value``.
    public typealias IntegerLiteralType = Int64

    /// The number, −140,737,488,355,328 through 140,737,488,355,327.
    public let value: Int64

    /// The encoded value has 6 bytes.
    @inlinable public static var size: Int { 6 }

    /// Creates the number that the lowest 48 bits of an integer stand for, in two's complement.
    @inlinable
    public init<Source: BinaryInteger>(truncatingIfNeeded source: Source) {
        value = (Int64(truncatingIfNeeded: source) << 16) >> 16
    }
}
