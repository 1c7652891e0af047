// The other conversions of numbers are Swift's own: `init(exactly:)`, `init(clamping:)` and `init(_:)` for text.

extension Deserializable where Self: FixedWidthInteger {
    /// The nearest integer, or nil when that is out of range, or when the number is NaN or infinite.
    ///
    /// Rounding comes first: `Int8(rounding: 127.4)` is 127 and `Int8(rounding: 127.5)` is nil. Ties go away from zero
    /// unless the rule says otherwise.
    @inlinable
    public init?(rounding value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        self.init(exactly: value.rounded(rule))
    }
}

extension NarrowInteger {
    /// The nearest integer, or nil when that is out of range, or when the number is NaN or infinite.
    ///
    /// Rounding comes first: `UInt24(rounding: 16_777_215.4)` is the greatest value and `UInt24(rounding:
    /// 16_777_215.5)` is nil. Ties go away from zero unless the rule says otherwise.
    @inlinable
    public init?(rounding value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        guard let value = Value(exactly: value.rounded(rule)) else { return nil }
        self.init(exactly: value)
    }
}

extension Float {
    /// The nearest number, ties to even, or nil when that is out of range, or when the number is NaN or infinite.
    @inlinable
    public init?(rounding value: Double) {
        self.init(value)
        guard isFinite else { return nil }
    }
}
