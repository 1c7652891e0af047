// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Body Composition Service of the Bluetooth SIG: the composition of a body (Body Composition Service 1.0).
public enum BodyCompositionService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "181B"
    public static let name = "Body Composition"
    public static let tag = BluetoothSIG.tag
}

extension BodyCompositionService {
    /// The capabilities of the scale: 32 bits, little-endian (Body Composition Service 1.0, 3.1; GATT Specification
    /// Supplement, Body Composition Feature). Reserved bits are ignored.
    public struct Feature: ScaleFeature {
        public static let uuid: BluetoothUUID = "2A9B"
        public static let name = "Body Composition Feature"
        /// The options have 11 bits.
        public static let optionBitCount = 11

        public var options: Options = []
        public var massResolution = MassResolution.notSpecified
        public var heightResolution = HeightResolution.notSpecified

        /// The capabilities of a body analyser beside the share of fat.
        public struct Options: NamedFlags {
            public let rawValue: UInt32

            /// Creates a set from the lowest 11 bits of a number.
            public init(rawValue: UInt32) { self.rawValue = rawValue & 0x7ff }

            /// The analyser reports the time of each measurement.
            public static let timeStamp = Self(rawValue: 1 << 0)
            /// The analyser distinguishes several users.
            public static let multipleUsers = Self(rawValue: 1 << 1)
            /// The analyser reports the basal metabolism.
            public static let basalMetabolism = Self(rawValue: 1 << 2)
            /// The analyser reports the share of muscle in percent.
            public static let musclePercentage = Self(rawValue: 1 << 3)
            /// The analyser reports the mass of muscle.
            public static let muscleMass = Self(rawValue: 1 << 4)
            /// The analyser reports the mass without fat.
            public static let fatFreeMass = Self(rawValue: 1 << 5)
            /// The analyser reports the mass without fat and bone.
            public static let softLeanMass = Self(rawValue: 1 << 6)
            /// The analyser reports the mass of water.
            public static let bodyWaterMass = Self(rawValue: 1 << 7)
            /// The analyser reports the impedance of the body.
            public static let impedance = Self(rawValue: 1 << 8)
            /// The analyser reports the weight.
            public static let weight = Self(rawValue: 1 << 9)
            /// The analyser reports the height.
            public static let height = Self(rawValue: 1 << 10)

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
