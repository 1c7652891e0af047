// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The resolution with which a scale measures heights: three bits (GATT Specification Supplement, Weight Scale
/// Feature).
public struct HeightResolution: AssignedNumber {
    /// The number as it is sent.
    public let rawValue: UInt8

    /// Creates a resolution from the lowest 3 bits of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7 }

    /// The scale does not specify the resolution.
    public static let notSpecified = Self(rawValue: 0)
    /// 0.01 m or 1 in.
    public static let millimetres10 = Self(rawValue: 1)
    /// 0.005 m or 0.5 in.
    public static let millimetres5 = Self(rawValue: 2)
    /// 0.001 m or 0.1 in.
    public static let millimetre1 = Self(rawValue: 3)

    public static let assigned: [(Self, String)] = [
        (.notSpecified, "Not Specified"),
        (.millimetres10, "0.01 m or 1 in"),
        (.millimetres5, "0.005 m or 0.5 in"),
        (.millimetre1, "0.001 m or 0.1 in"),
    ]
}
