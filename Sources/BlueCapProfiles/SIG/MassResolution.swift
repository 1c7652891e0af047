// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The resolution with which a scale measures masses: four bits (GATT Specification Supplement, Weight Scale Feature).
public struct MassResolution: AssignedNumber {
    public let rawValue: UInt8

    /// Creates a resolution from the lowest 4 bits of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

    /// The scale does not specify the resolution.
    public static let notSpecified = Self(rawValue: 0)
    /// 0.5 kg or 1 lb.
    public static let grams500 = Self(rawValue: 1)
    /// 0.2 kg or 0.5 lb.
    public static let grams200 = Self(rawValue: 2)
    /// 0.1 kg or 0.2 lb.
    public static let grams100 = Self(rawValue: 3)
    /// 0.05 kg or 0.1 lb.
    public static let grams50 = Self(rawValue: 4)
    /// 0.02 kg or 0.05 lb.
    public static let grams20 = Self(rawValue: 5)
    /// 0.01 kg or 0.02 lb.
    public static let grams10 = Self(rawValue: 6)
    /// 0.005 kg or 0.01 lb.
    public static let grams5 = Self(rawValue: 7)

    public static let assigned: [(Self, String)] = [
        (.notSpecified, "Not Specified"),
        (.grams500, "0.5 kg or 1 lb"),
        (.grams200, "0.2 kg or 0.5 lb"),
        (.grams100, "0.1 kg or 0.2 lb"),
        (.grams50, "0.05 kg or 0.1 lb"),
        (.grams20, "0.02 kg or 0.05 lb"),
        (.grams10, "0.01 kg or 0.02 lb"),
        (.grams5, "0.005 kg or 0.01 lb"),
    ]
}
