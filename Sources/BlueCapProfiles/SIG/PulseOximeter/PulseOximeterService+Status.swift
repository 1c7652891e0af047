// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PulseOximeterService {
    /// The status of a measurement: 16 flags (GATT Specification Supplement, PLX Spot-Check Measurement).
    public struct MeasurementStatus: NamedFlags {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The measurement goes on.
        public static let measurementOngoing = Self(rawValue: 1 << 5)
        /// The result is an early estimate.
        public static let earlyEstimatedData = Self(rawValue: 1 << 6)
        /// The result was checked.
        public static let validatedData = Self(rawValue: 1 << 7)
        /// The result is good in full.
        public static let fullyQualifiedData = Self(rawValue: 1 << 8)
        /// The result was stored before.
        public static let dataFromMeasurementStorage = Self(rawValue: 1 << 9)
        /// The result is a demonstration.
        public static let dataForDemonstration = Self(rawValue: 1 << 10)
        /// The result is a test.
        public static let dataForTesting = Self(rawValue: 1 << 11)
        /// The device is being calibrated.
        public static let calibrationOngoing = Self(rawValue: 1 << 12)
        /// There is no result.
        public static let measurementUnavailable = Self(rawValue: 1 << 13)
        /// The result is doubtful.
        public static let questionableMeasurement = Self(rawValue: 1 << 14)
        /// The result is not valid.
        public static let invalidMeasurement = Self(rawValue: 1 << 15)

        public static let flagNames: [(Self, String)] = [
            (.measurementOngoing, "Measurement Ongoing"),
            (.earlyEstimatedData, "Early Estimated Data"),
            (.validatedData, "Validated Data"),
            (.fullyQualifiedData, "Fully Qualified Data"),
            (.dataFromMeasurementStorage, "Data from Measurement Storage"),
            (.dataForDemonstration, "Data for Demonstration"),
            (.dataForTesting, "Data for Testing"),
            (.calibrationOngoing, "Calibration Ongoing"),
            (.measurementUnavailable, "Measurement Unavailable"),
            (.questionableMeasurement, "Questionable Measurement Detected"),
            (.invalidMeasurement, "Invalid Measurement Detected"),
        ]
    }

    /// The status of the device and its sensor: 24 flags (GATT Specification Supplement, PLX Spot-Check Measurement).
    public struct DeviceAndSensorStatus: NamedFlags {
        public static let size = 3

        public let rawValue: UInt32

        /// Creates a set from the lowest 24 bits of a number.
        public init(rawValue: UInt32) { self.rawValue = rawValue & 0xffffff }

        /// The display has not been renewed for long.
        public static let extendedDisplayUpdateOngoing = Self(rawValue: 1 << 0)
        /// The device is faulty.
        public static let equipmentMalfunction = Self(rawValue: 1 << 1)
        /// The signal was processed irregularly.
        public static let signalProcessingIrregularity = Self(rawValue: 1 << 2)
        /// The signal does not suffice.
        public static let inadequateSignal = Self(rawValue: 1 << 3)
        /// The signal is poor.
        public static let poorSignal = Self(rawValue: 1 << 4)
        /// There is little blood under the sensor.
        public static let lowPerfusion = Self(rawValue: 1 << 5)
        /// The signal is erratic.
        public static let erraticSignal = Self(rawValue: 1 << 6)
        /// There is no pulse in the signal.
        public static let nonpulsatileSignal = Self(rawValue: 1 << 7)
        /// The pulse is doubtful.
        public static let questionablePulse = Self(rawValue: 1 << 8)
        /// The signal is being analysed.
        public static let signalAnalysisOngoing = Self(rawValue: 1 << 9)
        /// Something disturbs the sensor.
        public static let sensorInterference = Self(rawValue: 1 << 10)
        /// The sensor is not on the user.
        public static let sensorUnconnectedToUser = Self(rawValue: 1 << 11)
        /// The sensor is of an unknown kind.
        public static let unknownSensorConnected = Self(rawValue: 1 << 12)
        /// The sensor has slipped.
        public static let sensorDisplaced = Self(rawValue: 1 << 13)
        /// The sensor is faulty.
        public static let sensorMalfunctioning = Self(rawValue: 1 << 14)
        /// The sensor is not plugged in.
        public static let sensorDisconnected = Self(rawValue: 1 << 15)

        public static let flagNames: [(Self, String)] = [
            (.extendedDisplayUpdateOngoing, "Extended Display Update Ongoing"),
            (.equipmentMalfunction, "Equipment Malfunction Detected"),
            (.signalProcessingIrregularity, "Signal Processing Irregularity Detected"),
            (.inadequateSignal, "Inadequate Signal Detected"),
            (.poorSignal, "Poor Signal Detected"),
            (.lowPerfusion, "Low Perfusion Detected"),
            (.erraticSignal, "Erratic Signal Detected"),
            (.nonpulsatileSignal, "Nonpulsatile Signal Detected"),
            (.questionablePulse, "Questionable Pulse Detected"),
            (.signalAnalysisOngoing, "Signal Analysis Ongoing"),
            (.sensorInterference, "Sensor Interference Detected"),
            (.sensorUnconnectedToUser, "Sensor Unconnected to User"),
            (.unknownSensorConnected, "Unknown Sensor Connected"),
            (.sensorDisplaced, "Sensor Displaced"),
            (.sensorMalfunctioning, "Sensor Malfunctioning"),
            (.sensorDisconnected, "Sensor Disconnected"),
        ]
    }
}
