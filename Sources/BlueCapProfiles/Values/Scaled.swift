// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A whole number as it is sent, counted in steps of a fixed part of its unit, such as 1/1024 second.
///
/// The bytes are those of the whole number, little-endian. The type says how large a step is; what is counted (seconds,
/// kilograms) is said where it is used.
@frozen
public struct Scaled<Raw: ScalableInteger, Step: ScaleStep>: Deserializable, Hashable, Comparable {
    /// The number of steps, as it is sent.
    public var rawValue: Raw

    /// Creates a number from its steps; every number is allowed.
    @inlinable
    public init(rawValue: Raw) { self.rawValue = rawValue }

    /// Creates a number from its amount in units, rounded to the nearest step.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
    @inlinable
    public init(_ value: Double) throws(SerDeError) {
        guard let steps = Int64(exactly: (value * Step.stepsPerUnit).rounded()), let raw = Raw(wide: steps) else {
            throw .invalidValue()
        }
        rawValue = raw
    }

    /// The amount in units.
    @inlinable public var value: Double { Double(rawValue.wide) / Step.stepsPerUnit }

    /// Returns whether the left value is less than the right one.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue.wide < right.rawValue.wide }

    @inlinable public static var size: Int { Raw.size }

    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) { rawValue = try Raw(from: &reader) }

    @inlinable
    public func encode(into output: inout OutputRawSpan) { rawValue.encode(into: &output) }
}

extension Scaled: LosslessStringConvertible, NumberInText {
    /// The amount in units, with ``ScaleStep/decimals`` decimals.
    public var description: String { DecimalText.fixed(value, Step.decimals) }

    /// Creates a number from its amount in units, rounded to the nearest step; nil when it is none or out of range.
    public init?(_ description: String) {
        guard let value = Double(description) else { return nil }
        try? self.init(value)
    }
}
