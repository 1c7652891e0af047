// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The greatest heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Heart Rate Max).
    public struct HeartRateMax: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A8D.
        public static let uuid: BluetoothUUID = "2A8D"
        /// The name of the characteristic.
        public static let name = "Heart Rate Max"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at rest in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement,
    /// Resting Heart Rate).
    public struct RestingHeartRate: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A92.
        public static let uuid: BluetoothUUID = "2A92"
        /// The name of the characteristic.
        public static let name = "Resting Heart Rate"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest heart rate that is advised in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Maximum Recommended Heart Rate).
    public struct MaximumRecommendedHeartRate: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A91.
        public static let uuid: BluetoothUUID = "2A91"
        /// The name of the characteristic.
        public static let name = "Maximum Recommended Heart Rate"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at the aerobic threshold in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Aerobic Threshold).
    public struct AerobicThreshold: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A7F.
        public static let uuid: BluetoothUUID = "2A7F"
        /// The name of the characteristic.
        public static let name = "Aerobic Threshold"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at the anaerobic threshold in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Anaerobic Threshold).
    public struct AnaerobicThreshold: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A83.
        public static let uuid: BluetoothUUID = "2A83"
        /// The name of the characteristic.
        public static let name = "Anaerobic Threshold"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The sport for which the thresholds hold: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement,
    /// Sport Type for Aerobic and Anaerobic Thresholds). Numbers without a name yet are kept.
    public struct ThresholdSportType: AssignedNumber, RawDeserializable, CharacteristicConfigurable,
        StringDeserializable
    {
        /// The UUID that is assigned to the characteristic: 2A93.
        public static let uuid: BluetoothUUID = "2A93"
        /// The name of the characteristic.
        public static let name = "Sport Type for Aerobic and Anaerobic Thresholds"
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]
        /// The value that a peripheral offers first: unspecified.
        public static let initialValue: Bytes? = [0]

        /// The number as it is sent.
        public let rawValue: UInt8

        /// Creates a sport from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The sport is not specified.
        public static let unspecified = Self(rawValue: 0)
        /// Running, also on a treadmill.
        public static let running = Self(rawValue: 1)
        /// Cycling on a bicycle.
        public static let cycling = Self(rawValue: 2)
        /// Rowing a boat.
        public static let rowing = Self(rawValue: 3)
        /// Exercise on a cross trainer.
        public static let crossTraining = Self(rawValue: 4)
        /// Climbing or stepping.
        public static let climbing = Self(rawValue: 5)
        /// Skiing on snow.
        public static let skiing = Self(rawValue: 6)
        /// Skating on ice or wheels.
        public static let skating = Self(rawValue: 7)
        /// Exercise of the arms.
        public static let armExercising = Self(rawValue: 8)
        /// Exercise of the lower body.
        public static let lowerBodyExercising = Self(rawValue: 9)
        /// Exercise of the upper body.
        public static let upperBodyExercising = Self(rawValue: 10)
        /// Exercise of the whole body.
        public static let wholeBodyExercising = Self(rawValue: 11)

        /// The sports that have names.
        public static let assigned: [(Self, String)] = [
            (.unspecified, "Unspecified"),
            (.running, "Running (Treadmill)"),
            (.cycling, "Cycling (Ergometer)"),
            (.rowing, "Rowing (Ergometer)"),
            (.crossTraining, "Cross Training (Elliptical)"),
            (.climbing, "Climbing"),
            (.skiing, "Skiing"),
            (.skating, "Skating"),
            (.armExercising, "Arm Exercising"),
            (.lowerBodyExercising, "Lower Body Exercising"),
            (.upperBodyExercising, "Upper Body Exercising"),
            (.wholeBodyExercising, "Whole Body Exercising"),
        ]
    }
}
