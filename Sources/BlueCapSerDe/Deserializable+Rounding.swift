// SPDX-License-Identifier: MIT

// The other conversions of numbers are Swift's own: `init(exactly:)`, `init(clamping:)` and `init(_:)` for text.

extension Deserializable where Self: FixedWidthInteger {
    /// Creates the nearest integer, or returns nil when that is out of range, or when the number is NaN or infinite.
    ///
    /// Rounding comes first: `Int8(rounding: 127.4)` is 127 and `Int8(rounding: 127.5)` is nil.
    ///
    /// - Parameters:
    ///   - value: The number to round.
    ///   - rule: The rule of rounding; by default ties go away from zero.
    @inlinable
    public init?(rounding value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        self.init(exactly: value.rounded(rule))
    }

    /// Creates the nearest integer that the type has: its least or greatest for a number out of range, 0 for one that
    /// is NaN.
    ///
    /// Ties go away from zero: `Int8(nearest: 1.5)` is 2, `Int8(nearest: 200)` is 127.
    @inlinable
    public init(nearest value: Double) {
        let rounded = value.rounded()
        self = Self(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }
}

extension NarrowInteger {
    /// Creates the nearest integer, or returns nil when that is out of range, or when the number is NaN or infinite.
    ///
    /// Rounding comes first: `UInt24(rounding: 16_777_215.4)` is the greatest value and `UInt24(rounding:
    /// 16_777_215.5)` is nil.
    ///
    /// - Parameters:
    ///   - value: The number to round.
    ///   - rule: The rule of rounding; by default ties go away from zero.
    @inlinable
    public init?(rounding value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        guard let value = Value(exactly: value.rounded(rule)) else { return nil }
        self.init(exactly: value)
    }

    /// Creates the nearest integer that the type has: its least or greatest for a number out of range, 0 for one that
    /// is NaN.
    ///
    /// Ties go away from zero: `UInt24(nearest: 1.5)` is 2, `UInt24(nearest: -1)` is 0.
    @inlinable
    public init(nearest value: Double) {
        let rounded = value.rounded()
        if let whole = Value(exactly: rounded) {
            self.init(clamping: whole)
        } else {
            self = rounded.isNaN ? 0 : rounded < 0 ? .min : .max
        }
    }
}

extension Float {
    /// Creates the nearest number, ties to even, or nil when that is out of range, or when the number is NaN or
    /// infinite.
    @inlinable
    public init?(rounding value: Double) {
        self.init(value)
        guard isFinite else { return nil }
    }
}
