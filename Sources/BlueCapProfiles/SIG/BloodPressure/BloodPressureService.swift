// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Blood Pressure Service of the Bluetooth SIG (Blood Pressure Service 1.0).
public enum BloodPressureService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1810"
    public static let name = "Blood Pressure"
    public static let tag = BluetoothSIG.tag
}

extension BloodPressureService {
    /// The capabilities of the monitor: 16 flags, little-endian (Blood Pressure Service 1.0, 3.3; GATT Specification
    /// Supplement, Blood Pressure Feature).
    public struct Feature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A49"
        public static let name = "Blood Pressure Feature"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The monitor detects movement.
        public static let bodyMovementDetection = Self(rawValue: 1 << 0)
        /// The monitor detects a loose cuff.
        public static let cuffFitDetection = Self(rawValue: 1 << 1)
        /// The monitor detects an irregular pulse.
        public static let irregularPulseDetection = Self(rawValue: 1 << 2)
        /// The monitor detects a pulse outside its range.
        public static let pulseRateRangeDetection = Self(rawValue: 1 << 3)
        /// The monitor detects a bad position.
        public static let measurementPositionDetection = Self(rawValue: 1 << 4)
        /// The device bonds with more than one central.
        public static let multipleBonds = Self(rawValue: 1 << 5)

        public static let flagNames: [(Self, String)] = [
            (.bodyMovementDetection, "Body Movement Detection"),
            (.cuffFitDetection, "Cuff Fit Detection"),
            (.irregularPulseDetection, "Irregular Pulse Detection"),
            (.pulseRateRangeDetection, "Pulse Rate Range Detection"),
            (.measurementPositionDetection, "Measurement Position Detection"),
            (.multipleBonds, "Multiple Bonds"),
        ]
    }

    /// The conditions that the monitor detected during a measurement: 16 flags (GATT Specification Supplement, Blood
    /// Pressure Measurement, Measurement Status).
    public struct Status: NamedFlags {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The body moved.
        public static let bodyMovement = Self(rawValue: 1 << 0)
        /// The cuff was too loose.
        public static let cuffTooLoose = Self(rawValue: 1 << 1)
        /// The pulse was irregular.
        public static let irregularPulse = Self(rawValue: 1 << 2)
        /// The pulse was above the range: 1 in the two bits of the pulse rate's range.
        public static let pulseRateTooHigh = Self(rawValue: 1 << 3)
        /// The pulse was below the range: 2 in the same two bits.
        public static let pulseRateTooLow = Self(rawValue: 2 << 3)
        /// The value 3 of the two bits, which has no meaning yet.
        public static let pulseRateRangeReserved = Self(rawValue: 3 << 3)
        /// The position was bad.
        public static let improperPosition = Self(rawValue: 1 << 5)

        public static let flagNames: [(Self, String)] = [
            (.bodyMovement, "Body Movement"),
            (.cuffTooLoose, "Cuff Too Loose"),
            (.irregularPulse, "Irregular Pulse"),
            (.pulseRateTooHigh, "Pulse Rate Too High"),
            (.pulseRateTooLow, "Pulse Rate Too Low"),
            (.pulseRateRangeReserved, "Pulse Rate Range Reserved (3)"),
            (.improperPosition, "Improper Position"),
        ]

        /// The two bits of the pulse rate's range.
        public static let fields: [Self] = [.pulseRateRangeReserved]
    }
}
