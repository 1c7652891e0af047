// SPDX-License-Identifier: MIT

/// Steps of 10.
public enum Tens: ScaleStep {
    /// 0.1.
    @inlinable public static var stepsPerUnit: Double { 0.1 }
    /// No decimals.
    public static let decimals = 0
}

/// Steps of 1.
public enum Per1: ScaleStep {
    /// 1.
    @inlinable public static var stepsPerUnit: Double { 1 }
    /// No decimals.
    public static let decimals = 0
}

/// Steps of 1/5.
public enum Per5: ScaleStep {
    /// 5.
    @inlinable public static var stepsPerUnit: Double { 5 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/8.
public enum Per8: ScaleStep {
    /// 8.
    @inlinable public static var stepsPerUnit: Double { 8 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/10,000.
public enum Per10000: ScaleStep {
    /// 10,000.
    @inlinable public static var stepsPerUnit: Double { 10_000 }
    /// Four decimals.
    public static let decimals = 4
}

/// Steps of 1/10,000,000.
public enum Per10000000: ScaleStep {
    /// 10,000,000.
    @inlinable public static var stepsPerUnit: Double { 10_000_000 }
    /// Seven decimals.
    public static let decimals = 7
}
