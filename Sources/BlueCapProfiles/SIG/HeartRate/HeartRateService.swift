// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Heart Rate Service of the Bluetooth SIG (Heart Rate Service 1.0).
public enum HeartRateService: ServiceConfigurable {
    /// The UUID that is assigned to the service: 180D.
    public static let uuid: BluetoothUUID = "180D"
    /// The name of the service.
    public static let name = "Heart Rate"
    /// The tag of the Bluetooth SIG's services.
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor: one byte (Heart Rate Service 1.0, 3.2; GATT Specification Supplement, Body Sensor
    /// Location). Numbers without a name yet are kept.
    public struct BodySensorLocation: AssignedNumber, RawDeserializable, CharacteristicConfigurable,
        StringDeserializable
    {
        /// The UUID that is assigned to the characteristic: 2A38.
        public static let uuid: BluetoothUUID = "2A38"
        /// The name of the characteristic.
        public static let name = "Body Sensor Location"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]
        /// The value that a peripheral offers first: chest.
        public static let initialValue: Bytes? = [1]

        /// The number as it is sent.
        public let rawValue: UInt8

        /// Creates a location from the number as it is sent.
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

        /// The locations that have names.
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

        /// The UUID that is assigned to the characteristic: 2A39.
        public static let uuid: BluetoothUUID = "2A39"
        /// The name of the characteristic.
        public static let name = "Heart Rate Control Point"
        /// A central writes the value.
        public static let properties: CharacteristicProperties = [.write]
        /// Any central may write the value; no central may read it.
        public static let permissions: AttributePermissions = [.writeable]

        /// "Reset Energy Expended".
        public var choice: String { "Reset Energy Expended" }
    }
}
