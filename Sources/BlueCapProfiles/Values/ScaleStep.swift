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
    @inlinable public static var stepsPerUnit: Double { 2 }
    public static let decimals = 1
}

/// Steps of 1/10.
public enum Per10: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 10 }
    public static let decimals = 1
}

/// Steps of 1/32.
public enum Per32: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 32 }
    public static let decimals = 2
}

/// Steps of 1/100.
public enum Per100: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 100 }
    public static let decimals = 2
}

/// Steps of 1/200, that is 0.005.
public enum Per200: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 200 }
    public static let decimals = 3
}

/// Steps of 1/256.
public enum Per256: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 256 }
    public static let decimals = 3
}

/// Steps of 1/1000.
public enum Per1000: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 1000 }
    public static let decimals = 3
}

/// Steps of 1/1024.
public enum Per1024: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 1024 }
    public static let decimals = 4
}

/// Steps of 1/2048.
public enum Per2048: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 2048 }
    public static let decimals = 4
}

/// Steps of 10.
public enum Tens: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 0.1 }
    public static let decimals = 0
}

/// Steps of 1.
public enum Per1: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 1 }
    public static let decimals = 0
}

/// Steps of 1/5.
public enum Per5: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 5 }
    public static let decimals = 1
}

/// Steps of 1/8.
public enum Per8: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 8 }
    public static let decimals = 3
}

/// Steps of 1/10,000.
public enum Per10000: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 10_000 }
    public static let decimals = 4
}

/// Steps of 1/10,000,000.
public enum Per10000000: ScaleStep {
    @inlinable public static var stepsPerUnit: Double { 10_000_000 }
    public static let decimals = 7
}
