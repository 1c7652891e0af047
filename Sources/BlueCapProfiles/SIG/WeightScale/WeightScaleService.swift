// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Weight Scale Service of the Bluetooth SIG (Weight Scale Service 1.0).
public enum WeightScaleService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "181D"
    public static let name = "Weight Scale"
    public static let tag = BluetoothSIG.tag
}

extension WeightScaleService {
    /// The capabilities of the scale: 32 bits, little-endian (Weight Scale Service 1.0, 3.1; GATT Specification
    /// Supplement, Weight Scale Feature). Reserved bits are ignored.
    public struct Feature: ScaleFeature {
        public static let uuid: BluetoothUUID = "2A9E"
        public static let name = "Weight Scale Feature"
        /// The options have 3 bits.
        public static let optionBitCount = 3

        public var options: Options = []
        public var massResolution = MassResolution.notSpecified
        public var heightResolution = HeightResolution.notSpecified

        /// The capabilities of a weight scale beside weighing.
        public struct Options: NamedFlags {
            public let rawValue: UInt32

            /// Creates a set from the lowest 3 bits of a number.
            public init(rawValue: UInt32) { self.rawValue = rawValue & 0x7 }

            /// The scale reports the time of each measurement.
            public static let timeStamp = Self(rawValue: 1 << 0)
            /// The scale distinguishes several users.
            public static let multipleUsers = Self(rawValue: 1 << 1)
            /// The scale reports the body mass index.
            public static let bodyMassIndex = Self(rawValue: 1 << 2)

            public static let flagNames: [(Self, String)] = [
                (.timeStamp, "Time Stamp"),
                (.multipleUsers, "Multiple Users"),
                (.bodyMassIndex, "BMI"),
            ]
        }

        /// Nothing beyond what every scale can do.
        public init() {}
    }
}
