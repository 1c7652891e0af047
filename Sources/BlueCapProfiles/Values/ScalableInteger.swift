// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A whole number of a fixed size that a ``Scaled`` number is sent as: one of Swift's, or one of 3 bytes.
public protocol ScalableInteger: Deserializable, Hashable {
    /// The number in 64 bits.
    var wide: Int64 { get }

    /// Creates the number from 64 bits; nil when it does not fit.
    init?(wide: Int64)
}

extension ScalableInteger where Self: BinaryInteger {
    /// The number in 64 bits.
    @inlinable public var wide: Int64 { Int64(self) }

    /// Creates the number from 64 bits; nil when it does not fit.
    @inlinable public init?(wide: Int64) { self.init(exactly: wide) }
}

extension ScalableInteger where Self: NarrowInteger {
    /// The number in 64 bits.
    @inlinable public var wide: Int64 { Int64(value) }

    /// Creates the number from 64 bits; nil when it does not fit.
    @inlinable public init?(wide: Int64) { self.init(exactly: wide) }
}

extension Int8: ScalableInteger {}
extension UInt8: ScalableInteger {}
extension Int16: ScalableInteger {}
extension UInt16: ScalableInteger {}
extension Int24: ScalableInteger {}
extension UInt24: ScalableInteger {}
extension Int32: ScalableInteger {}
extension UInt32: ScalableInteger {}
