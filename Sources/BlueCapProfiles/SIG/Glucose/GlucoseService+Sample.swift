// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension GlucoseService {
    /// The type of a sample: four bits (GATT Specification Supplement, Glucose Measurement, Type).
    public struct SampleType: AssignedNumber {
        public let rawValue: UInt8

        /// Creates a type from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// Capillary whole blood.
        public static let capillaryWholeBlood = Self(rawValue: 1)
        /// Plasma of capillary blood.
        public static let capillaryPlasma = Self(rawValue: 2)
        /// Venous whole blood.
        public static let venousWholeBlood = Self(rawValue: 3)
        /// Plasma of venous blood.
        public static let venousPlasma = Self(rawValue: 4)
        /// Arterial whole blood.
        public static let arterialWholeBlood = Self(rawValue: 5)
        /// Plasma of arterial blood.
        public static let arterialPlasma = Self(rawValue: 6)
        /// Whole blood of an unknown kind.
        public static let undeterminedWholeBlood = Self(rawValue: 7)
        /// Plasma of an unknown kind.
        public static let undeterminedPlasma = Self(rawValue: 8)
        /// Fluid between the cells.
        public static let interstitialFluid = Self(rawValue: 9)
        /// A solution for checking the meter.
        public static let controlSolution = Self(rawValue: 10)

        public static let assigned: [(Self, String)] = [
            (.capillaryWholeBlood, "Capillary Whole Blood"),
            (.capillaryPlasma, "Capillary Plasma"),
            (.venousWholeBlood, "Venous Whole Blood"),
            (.venousPlasma, "Venous Plasma"),
            (.arterialWholeBlood, "Arterial Whole Blood"),
            (.arterialPlasma, "Arterial Plasma"),
            (.undeterminedWholeBlood, "Undetermined Whole Blood"),
            (.undeterminedPlasma, "Undetermined Plasma"),
            (.interstitialFluid, "Interstitial Fluid (ISF)"),
            (.controlSolution, "Control Solution"),
        ]
    }

    /// The place from which a sample was taken: four bits (GATT Specification Supplement, Glucose Measurement, Sample
    /// Location).
    public struct SampleLocation: AssignedNumber {
        public let rawValue: UInt8

        /// Creates a location from the lowest 4 bits of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0xf }

        /// The tip of a finger.
        public static let finger = Self(rawValue: 1)
        /// A site other than a finger or an ear lobe.
        public static let alternateSite = Self(rawValue: 2)
        /// An ear lobe.
        public static let earlobe = Self(rawValue: 3)
        /// A solution for checking the meter.
        public static let controlSolution = Self(rawValue: 4)
        /// The value is not known.
        public static let notAvailable = Self(rawValue: 15)

        public static let assigned: [(Self, String)] = [
            (.finger, "Finger"),
            (.alternateSite, "Alternate Site Test (AST)"),
            (.earlobe, "Earlobe"),
            (.controlSolution, "Control Solution"),
            (.notAvailable, "Not Available"),
        ]
    }

    /// The conditions that the meter detected during a measurement: 16 flags (GATT Specification Supplement, Glucose
    /// Measurement, Sensor Status Annunciation).
    public struct Status: NamedFlags {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The battery was low.
        public static let batteryLow = Self(rawValue: 1 << 0)
        /// The sensor was faulty.
        public static let sensorMalfunction = Self(rawValue: 1 << 1)
        /// The sample was too small.
        public static let sampleSizeInsufficient = Self(rawValue: 1 << 2)
        /// The strip was put in wrongly.
        public static let stripInsertionError = Self(rawValue: 1 << 3)
        /// The strip is of a wrong type.
        public static let stripTypeIncorrect = Self(rawValue: 1 << 4)
        /// The result is above the range of the meter.
        public static let resultTooHigh = Self(rawValue: 1 << 5)
        /// The result is below the range of the meter.
        public static let resultTooLow = Self(rawValue: 1 << 6)
        /// The temperature was too high for the meter.
        public static let temperatureTooHigh = Self(rawValue: 1 << 7)
        /// The temperature was too low for the meter.
        public static let temperatureTooLow = Self(rawValue: 1 << 8)
        /// The strip was pulled too soon.
        public static let readInterrupted = Self(rawValue: 1 << 9)
        /// The device was faulty.
        public static let generalDeviceFault = Self(rawValue: 1 << 10)
        /// The clock was faulty, and the time may be wrong.
        public static let timeFault = Self(rawValue: 1 << 11)

        public static let flagNames: [(Self, String)] = [
            (.batteryLow, "Battery Low"),
            (.sensorMalfunction, "Sensor Malfunction"),
            (.sampleSizeInsufficient, "Sample Size Insufficient"),
            (.stripInsertionError, "Strip Insertion Error"),
            (.stripTypeIncorrect, "Strip Type Incorrect"),
            (.resultTooHigh, "Result Too High"),
            (.resultTooLow, "Result Too Low"),
            (.temperatureTooHigh, "Temperature Too High"),
            (.temperatureTooLow, "Temperature Too Low"),
            (.readInterrupted, "Read Interrupted"),
            (.generalDeviceFault, "General Device Fault"),
            (.timeFault, "Time Fault"),
        ]
    }
}
