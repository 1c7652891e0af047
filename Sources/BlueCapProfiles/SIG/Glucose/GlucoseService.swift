// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Glucose Service of the Bluetooth SIG: measurements of blood sugar (Glucose Service 1.0).
public enum GlucoseService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1808"
    public static let name = "Glucose"
    public static let tag = BluetoothSIG.tag

    /// The control point through which stored measurements are read (Glucose Service 1.0, 3.4).
    public typealias RecordAccessControlPoint = BlueCapProfiles.RecordAccessControlPoint
}

extension GlucoseService {
    /// The capabilities of the meter: 16 flags, little-endian (Glucose Service 1.0, 3.3; GATT Specification Supplement,
    /// Glucose Feature).
    public struct Feature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A51"
        public static let name = "Glucose Feature"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The meter detects a low battery.
        public static let lowBatteryDetection = Self(rawValue: 1 << 0)
        /// The meter detects faults of its sensor.
        public static let sensorMalfunctionDetection = Self(rawValue: 1 << 1)
        /// The meter detects samples that are too small.
        public static let sampleSize = Self(rawValue: 1 << 2)
        /// The meter detects strips that are put in wrongly.
        public static let stripInsertionErrorDetection = Self(rawValue: 1 << 3)
        /// The meter detects strips of a wrong type.
        public static let stripTypeErrorDetection = Self(rawValue: 1 << 4)
        /// The meter detects results out of its range.
        public static let resultHighLowDetection = Self(rawValue: 1 << 5)
        /// The meter detects temperatures out of its range.
        public static let temperatureHighLowDetection = Self(rawValue: 1 << 6)
        /// The meter detects strips that are pulled too soon.
        public static let readInterruptDetection = Self(rawValue: 1 << 7)
        /// The meter reports faults of the device.
        public static let generalDeviceFault = Self(rawValue: 1 << 8)
        /// The meter reports faults of its clock.
        public static let timeFault = Self(rawValue: 1 << 9)
        /// The device bonds with more than one central.
        public static let multipleBonds = Self(rawValue: 1 << 10)

        public static let flagNames: [(Self, String)] = [
            (.lowBatteryDetection, "Low Battery Detection During Measurement"),
            (.sensorMalfunctionDetection, "Sensor Malfunction Detection"),
            (.sampleSize, "Sensor Sample Size"),
            (.stripInsertionErrorDetection, "Sensor Strip Insertion Error Detection"),
            (.stripTypeErrorDetection, "Sensor Strip Type Error Detection"),
            (.resultHighLowDetection, "Sensor Result High-Low Detection"),
            (.temperatureHighLowDetection, "Sensor Temperature High-Low Detection"),
            (.readInterruptDetection, "Sensor Read Interrupt Detection"),
            (.generalDeviceFault, "General Device Fault"),
            (.timeFault, "Time Fault"),
            (.multipleBonds, "Multiple Bonds"),
        ]
    }
}
