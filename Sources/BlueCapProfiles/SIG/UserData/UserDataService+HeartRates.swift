// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The greatest heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Heart Rate Max).
    public struct HeartRateMax: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A8D"
        public static let name = "Heart Rate Max"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at rest in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement,
    /// Resting Heart Rate).
    public struct RestingHeartRate: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A92"
        public static let name = "Resting Heart Rate"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest heart rate that is advised in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Maximum Recommended Heart Rate).
    public struct MaximumRecommendedHeartRate: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A91"
        public static let name = "Maximum Recommended Heart Rate"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at the aerobic threshold in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Aerobic Threshold).
    public struct AerobicThreshold: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A7F"
        public static let name = "Aerobic Threshold"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rate at the anaerobic threshold in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Anaerobic Threshold).
    public struct AnaerobicThreshold: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A83"
        public static let name = "Anaerobic Threshold"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The sport for which the thresholds hold: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement,
    /// Sport Type for Aerobic and Anaerobic Thresholds). Numbers without a name yet are kept.
    public struct ThresholdSportType: AssignedNumber, RawDeserializable, CharacteristicConfigurable,
        StringDeserializable
    {
        public static let uuid: BluetoothUUID = "2A93"
        public static let name = "Sport Type for Aerobic and Anaerobic Thresholds"
        public static let properties: CharacteristicProperties = [.read, .write]
        public static let initialValue: Bytes? = [0]

        public let rawValue: UInt8

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
