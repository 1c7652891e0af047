// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Body Composition Service of the Bluetooth SIG: what a body is made of (Body Composition Service 1.0).
public enum BodyCompositionService: ServiceConfigurable {
    /// The UUID that is assigned to the service: 181B.
    public static let uuid: BluetoothUUID = "181B"
    /// The name of the service.
    public static let name = "Body Composition"
    /// The tag of the Bluetooth SIG's services.
    public static let tag = BluetoothSIG.tag
}

extension BodyCompositionService {
    /// What the scale can do: 32 bits, little-endian (Body Composition Service 1.0, 3.1; GATT Specification Supplement,
    /// Body Composition Feature). Reserved bits are ignored.
    public struct Feature: ScaleFeature {
        /// The UUID that is assigned to the attribute: 2A9B.
        public static let uuid: BluetoothUUID = "2A9B"
        /// The name of the characteristic.
        public static let name = "Body Composition Feature"
        /// 11.
        public static let optionBitCount = 11

        /// What it can do.
        public var options: Options = []
        /// How finely it measures masses.
        public var massResolution = MassResolution.notSpecified
        /// How finely it measures heights.
        public var heightResolution = HeightResolution.notSpecified

        /// What a body analyser can tell beside the share of fat.
        public struct Options: NamedFlags {
            /// The bits of the flags as they are sent.
            public let rawValue: UInt32

            /// A set from the lowest 11 bits of a number.
            public init(rawValue: UInt32) { self.rawValue = rawValue & 0x7ff }

            /// It tells when it measured.
            public static let timeStamp = Self(rawValue: 1 << 0)
            /// It tells users apart.
            public static let multipleUsers = Self(rawValue: 1 << 1)
            /// It tells the basal metabolism.
            public static let basalMetabolism = Self(rawValue: 1 << 2)
            /// It tells the share of muscle.
            public static let musclePercentage = Self(rawValue: 1 << 3)
            /// It tells the mass of muscle.
            public static let muscleMass = Self(rawValue: 1 << 4)
            /// It tells the mass without fat.
            public static let fatFreeMass = Self(rawValue: 1 << 5)
            /// It tells the mass without fat and bone.
            public static let softLeanMass = Self(rawValue: 1 << 6)
            /// It tells the mass of water.
            public static let bodyWaterMass = Self(rawValue: 1 << 7)
            /// It tells the impedance.
            public static let impedance = Self(rawValue: 1 << 8)
            /// It tells the weight.
            public static let weight = Self(rawValue: 1 << 9)
            /// It tells the height.
            public static let height = Self(rawValue: 1 << 10)

            /// The flags that have names.
            public static let flagNames: [(Self, String)] = [
                (.timeStamp, "Time Stamp"),
                (.multipleUsers, "Multiple Users"),
                (.basalMetabolism, "Basal Metabolism"),
                (.musclePercentage, "Muscle Percentage"),
                (.muscleMass, "Muscle Mass"),
                (.fatFreeMass, "Fat Free Mass"),
                (.softLeanMass, "Soft Lean Mass"),
                (.bodyWaterMass, "Body Water Mass"),
                (.impedance, "Impedance"),
                (.weight, "Weight"),
                (.height, "Height"),
            ]
        }

        /// Nothing beyond what every scale can do.
        public init() {}
    }
}
