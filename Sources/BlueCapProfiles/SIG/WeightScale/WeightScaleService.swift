// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Weight Scale Service of the Bluetooth SIG (Weight Scale Service 1.0).
public enum WeightScaleService: ServiceConfigurable {
    /// The UUID that is assigned to the service: 181D.
    public static let uuid: BluetoothUUID = "181D"
    /// The name of the service.
    public static let name = "Weight Scale"
    /// The tag of the Bluetooth SIG's services.
    public static let tag = BluetoothSIG.tag
}

extension WeightScaleService {
    /// What the scale can do: 32 bits, little-endian (Weight Scale Service 1.0, 3.1; GATT Specification Supplement,
    /// Weight Scale Feature). Reserved bits are ignored.
    public struct Feature: ScaleFeature {
        /// The UUID that is assigned to the attribute: 2A9E.
        public static let uuid: BluetoothUUID = "2A9E"
        /// The name of the characteristic.
        public static let name = "Weight Scale Feature"
        /// 3.
        public static let optionBitCount = 3

        /// What it can do.
        public var options: Options = []
        /// How finely it measures masses.
        public var massResolution = MassResolution.notSpecified
        /// How finely it measures heights.
        public var heightResolution = HeightResolution.notSpecified

        /// What a weight scale can do beside weighing.
        public struct Options: NamedFlags {
            /// The bits of the flags as they are sent.
            public let rawValue: UInt32

            /// A set from the lowest 3 bits of a number.
            public init(rawValue: UInt32) { self.rawValue = rawValue & 0x7 }

            /// It tells when it measured.
            public static let timeStamp = Self(rawValue: 1 << 0)
            /// It tells users apart.
            public static let multipleUsers = Self(rawValue: 1 << 1)
            /// It tells the body mass index.
            public static let bodyMassIndex = Self(rawValue: 1 << 2)

            /// The flags that have names.
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
