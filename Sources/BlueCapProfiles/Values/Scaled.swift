// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The size of the steps in which a ``Scaled`` number counts.
public protocol ScaleStep: Sendable {
    /// How many steps make one unit.
    static var stepsPerUnit: Double { get }
    /// How many decimals the text of such a number has: enough to tell neighbours apart.
    static var decimals: Int { get }
}

/// A whole number as it is sent, counted in steps of a fixed part of its unit, such as 1/1024 second.
///
/// The bytes are those of the whole number, little-endian. The type says how large a step is; what is counted (seconds,
/// kilograms) is said where it is used.
@frozen
public struct Scaled<Raw: ScalableInteger, Step: ScaleStep>: Deserializable, Hashable, Comparable {
    /// The number of steps, as it is sent.
    public var rawValue: Raw

    /// A number from its steps; every number is allowed.
    @inlinable
    public init(rawValue: Raw) { self.rawValue = rawValue }

    /// A number from its amount in units, rounded to the nearest step.
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

    /// Less than.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue.wide < right.rawValue.wide }

    /// The size of the whole number.
    @inlinable public static var size: Int { Raw.size }

    /// Reads the whole number.
    @inlinable
    public init(from reader: inout ByteReader) throws(SerDeError) { rawValue = try Raw(from: &reader) }

    /// Appends the whole number.
    @inlinable
    public func encode(into output: inout OutputRawSpan) { rawValue.encode(into: &output) }
}

extension Scaled: LosslessStringConvertible {
    /// The amount in units, with ``ScaleStep/decimals`` decimals.
    public var description: String { DecimalText.fixed(value, Step.decimals) }

    /// A number from its amount in units, rounded to the nearest step; nil when it is none or out of range.
    public init?(_ description: String) {
        guard let value = Double(description) else { return nil }
        try? self.init(value)
    }
}

/// Steps of 1/2.
public enum Per2: ScaleStep {
    /// 2.
    @inlinable public static var stepsPerUnit: Double { 2 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/10.
public enum Per10: ScaleStep {
    /// 10.
    @inlinable public static var stepsPerUnit: Double { 10 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/32.
public enum Per32: ScaleStep {
    /// 32.
    @inlinable public static var stepsPerUnit: Double { 32 }
    /// Two decimals.
    public static let decimals = 2
}

/// Steps of 1/100.
public enum Per100: ScaleStep {
    /// 100.
    @inlinable public static var stepsPerUnit: Double { 100 }
    /// Two decimals.
    public static let decimals = 2
}

/// Steps of 1/200, that is 0.005.
public enum Per200: ScaleStep {
    /// 200.
    @inlinable public static var stepsPerUnit: Double { 200 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/256.
public enum Per256: ScaleStep {
    /// 256.
    @inlinable public static var stepsPerUnit: Double { 256 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/1000.
public enum Per1000: ScaleStep {
    /// 1000.
    @inlinable public static var stepsPerUnit: Double { 1000 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/1024.
public enum Per1024: ScaleStep {
    /// 1024.
    @inlinable public static var stepsPerUnit: Double { 1024 }
    /// Four decimals.
    public static let decimals = 4
}

/// Steps of 1/2048.
public enum Per2048: ScaleStep {
    /// 2048.
    @inlinable public static var stepsPerUnit: Double { 2048 }
    /// Four decimals.
    public static let decimals = 4
}
