// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Heart Rate Service of the Bluetooth SIG (Heart Rate Service 1.0).
public enum HeartRateService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "180D"
    public static let name = "Heart Rate"
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor: one byte (Heart Rate Service 1.0, 3.2; GATT Specification Supplement, Body Sensor
    /// Location). Numbers without a name yet are kept.
    public struct BodySensorLocation: AssignedNumber, RawDeserializable, CharacteristicConfigurable,
        StringDeserializable
    {
        public static let uuid: BluetoothUUID = "2A38"
        public static let name = "Body Sensor Location"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [1]

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A location that has no number of its own.
        public static let other = Self(rawValue: 0)
        /// On the chest.
        public static let chest = Self(rawValue: 1)
        /// On the wrist.
        public static let wrist = Self(rawValue: 2)
        /// On a finger.
        public static let finger = Self(rawValue: 3)
        /// On the hand.
        public static let hand = Self(rawValue: 4)
        /// On the ear lobe.
        public static let earLobe = Self(rawValue: 5)
        /// On the foot.
        public static let foot = Self(rawValue: 6)

        public static let assigned: [(Self, String)] = [
            (.other, "Other"), (.chest, "Chest"), (.wrist, "Wrist"), (.finger, "Finger"), (.hand, "Hand"),
            (.earLobe, "Ear Lobe"), (.foot, "Foot"),
        ]
    }

    /// The requests of a central to the sensor: one byte; the other values are reserved and refused (Heart Rate Service
    /// 1.0, 3.3; GATT Specification Supplement, Heart Rate Control Point).
    public enum ControlPoint: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        /// Reset the energy expended to 0.
        case resetEnergyExpended = 1

        public static let uuid: BluetoothUUID = "2A39"
        public static let name = "Heart Rate Control Point"
        public static let properties: CharacteristicProperties = [.write]
        public static let permissions: AttributePermissions = [.writeable]

        public var choice: String { "Reset Energy Expended" }
    }
}
