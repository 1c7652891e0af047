// SPDX-License-Identifier: MIT

/// The size of the steps in which a ``Scaled`` number counts.
public protocol ScaleStep: Sendable {
    /// The number of steps in one unit.
    static var stepsPerUnit: Double { get }
    /// The number of decimals in the text of such a number, which is enough to distinguish neighbours.
    static var decimals: Int { get }
}

// The steps in use. Each is a line in the specification of some characteristic.

/// Steps of 1/2.
public enum Per2: ScaleStep {
    /// One unit has 2 steps.
    @inlinable public static var stepsPerUnit: Double { 2 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/10.
public enum Per10: ScaleStep {
    /// One unit has 10 steps.
    @inlinable public static var stepsPerUnit: Double { 10 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/32.
public enum Per32: ScaleStep {
    /// One unit has 32 steps.
    @inlinable public static var stepsPerUnit: Double { 32 }
    /// Two decimals.
    public static let decimals = 2
}

/// Steps of 1/100.
public enum Per100: ScaleStep {
    /// One unit has 100 steps.
    @inlinable public static var stepsPerUnit: Double { 100 }
    /// Two decimals.
    public static let decimals = 2
}

/// Steps of 1/200, that is 0.005.
public enum Per200: ScaleStep {
    /// One unit has 200 steps.
    @inlinable public static var stepsPerUnit: Double { 200 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/256.
public enum Per256: ScaleStep {
    /// One unit has 256 steps.
    @inlinable public static var stepsPerUnit: Double { 256 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/1000.
public enum Per1000: ScaleStep {
    /// One unit has 1000 steps.
    @inlinable public static var stepsPerUnit: Double { 1000 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/1024.
public enum Per1024: ScaleStep {
    /// One unit has 1024 steps.
    @inlinable public static var stepsPerUnit: Double { 1024 }
    /// Four decimals.
    public static let decimals = 4
}

/// Steps of 1/2048.
public enum Per2048: ScaleStep {
    /// One unit has 2048 steps.
    @inlinable public static var stepsPerUnit: Double { 2048 }
    /// Four decimals.
    public static let decimals = 4
}

/// Steps of 10.
public enum Tens: ScaleStep {
    /// One unit has 0.1 steps.
    @inlinable public static var stepsPerUnit: Double { 0.1 }
    /// No decimals.
    public static let decimals = 0
}

/// Steps of 1.
public enum Per1: ScaleStep {
    /// One unit has one step.
    @inlinable public static var stepsPerUnit: Double { 1 }
    /// No decimals.
    public static let decimals = 0
}

/// Steps of 1/5.
public enum Per5: ScaleStep {
    /// One unit has 5 steps.
    @inlinable public static var stepsPerUnit: Double { 5 }
    /// One decimal.
    public static let decimals = 1
}

/// Steps of 1/8.
public enum Per8: ScaleStep {
    /// One unit has 8 steps.
    @inlinable public static var stepsPerUnit: Double { 8 }
    /// Three decimals.
    public static let decimals = 3
}

/// Steps of 1/10,000.
public enum Per10000: ScaleStep {
    /// One unit has 10,000 steps.
    @inlinable public static var stepsPerUnit: Double { 10_000 }
    /// Four decimals.
    public static let decimals = 4
}

/// Steps of 1/10,000,000.
public enum Per10000000: ScaleStep {
    /// One unit has 10,000,000 steps.
    @inlinable public static var stepsPerUnit: Double { 10_000_000 }
    /// Seven decimals.
    public static let decimals = 7
}
