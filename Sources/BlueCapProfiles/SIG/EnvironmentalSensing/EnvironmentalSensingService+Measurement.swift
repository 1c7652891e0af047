// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The descriptor that describes how a characteristic is measured: eleven bytes (Environmental Sensing Service 1.0,
    /// 3.1.2.1).
    ///
    /// It is read with `Descriptor.read(timeout:)` and `SerDe.deserialize`. The first two bytes are flags without a
    /// meaning yet; they are passed over, and zero is written.
    public struct MeasurementDescriptor: ByteCodable, TextFieldCoding, Hashable {
        /// The UUID that is assigned to the attribute: 290C.
        public static let uuid: BluetoothUUID = "290C"
        /// The name of the descriptor.
        public static let name = "Environmental Sensing Measurement"

        /// The function that computes the value from the samples.
        public var samplingFunction: SamplingFunction
        /// The time over which the device measures, in seconds; 0 when that does not apply.
        public var measurementPeriod: UInt24
        /// The time from value to value inside the device, in seconds; 0 when that does not apply.
        public var updateInterval: UInt24
        /// The place or the medium of the measurement.
        public var application: Application
        /// The greatest error of the value in percent, in steps of 0.5; the raw value 255 for unknown.
        public var uncertainty: Scaled<UInt8, Per2>

        /// Creates a description in which nothing is specified.
        public init() { self.init(samplingFunction: .unspecified) }

        /// Creates a description of how a value is measured. Parameters that you omit are encoded as "not specified".
        ///
        /// - Parameters:
        ///   - samplingFunction: The function that computes the value from the samples.
        ///   - measurementPeriod: The time over which the device measures, in seconds; 0 when that does not apply.
        ///   - updateInterval: The time from value to value inside the device, in seconds; 0 when that does not apply.
        ///   - application: The place or the medium of the measurement.
        ///   - uncertainty: The greatest error of the value in percent, in steps of 0.5; the raw value 255 for unknown.
        public init(
            samplingFunction: SamplingFunction, measurementPeriod: UInt24 = 0, updateInterval: UInt24 = 0,
            application: Application = .unspecified, uncertainty: Scaled<UInt8, Per2> = Scaled(rawValue: 255)
        ) {
            (self.samplingFunction, self.measurementPeriod) = (samplingFunction, measurementPeriod)
            (self.updateInterval, self.application) = (updateInterval, application)
            self.uncertainty = uncertainty
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            try reader.skip(2)
            samplingFunction = SamplingFunction(rawValue: try reader.read())
            measurementPeriod = try reader.read()
            updateInterval = try reader.read()
            application = Application(rawValue: try reader.read())
            uncertainty = try reader.read()
        }

        public var encodedByteCount: Int { 11 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(UInt16(0))
            output.write(samplingFunction.rawValue)
            measurementPeriod.encode(into: &output)
            updateInterval.encode(into: &output)
            output.write(application.rawValue)
            uncertainty.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `samplingFunction`, `measurementPeriod` and `updateInterval` (s, or "not in use"), `application` and
        /// `uncertainty` (%, or "unknown").
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "samplingFunction", \.samplingFunction),
            TextField("measurementPeriod", unit: "s", \.measurementPeriod, words: [(0, "not in use")]),
            TextField("updateInterval", unit: "s", \.updateInterval, words: [(0, "not in use")]),
            TextField(choice: "application", \.application),
            TextField("uncertainty", unit: "%", \.uncertainty, unknown: Scaled(rawValue: .max)),
        ]
        #endif

        /// A function that computes a value from samples.
        public struct SamplingFunction: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The device does not specify the function.
            public static let unspecified = Self(rawValue: 0)
            /// The last sample.
            public static let instantaneous = Self(rawValue: 1)
            /// The arithmetic mean.
            public static let mean = Self(rawValue: 2)
            /// The root of the mean of the squares.
            public static let rootMeanSquare = Self(rawValue: 3)
            /// The greatest value of the range.
            public static let maximum = Self(rawValue: 4)
            /// The least value of the range.
            public static let minimum = Self(rawValue: 5)
            /// The sum of the samples.
            public static let accumulated = Self(rawValue: 6)
            /// The number of samples.
            public static let count = Self(rawValue: 7)

            public static let assigned: [(Self, String)] = [
                (.unspecified, "Unspecified"), (.instantaneous, "Instantaneous"), (.mean, "Arithmetic Mean"),
                (.rootMeanSquare, "RMS"), (.maximum, "Maximum"), (.minimum, "Minimum"),
                (.accumulated, "Accumulated"), (.count, "Count"),
            ]
        }

        /// The place or the medium of the measurement.
        public struct Application: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// The device does not specify the application.
            public static let unspecified = Self(rawValue: 0)
            /// In the air.
            public static let air = Self(rawValue: 1)
            /// In the water.
            public static let water = Self(rawValue: 2)
            /// In the soil.
            public static let soil = Self(rawValue: 4)
            /// A place out of doors.
            public static let outdoor = Self(rawValue: 0x13)
            /// A place inside a building.
            public static let indoor = Self(rawValue: 0x14)

            /// The applications that have names, in the order of their numbers from 0 on.
            public static let assigned: [(Self, String)] = [
                "Unspecified", "Air", "Water", "Barometric", "Soil", "Infrared", "Map Database",
                "Barometric Elevation Source", "GPS Only Elevation Source", "GPS and Map Database Elevation Source",
                "Vertical Datum Elevation Source", "Onshore", "Onboard Vessel or Vehicle", "Front", "Back/Rear",
                "Upper",
                "Lower", "Primary", "Secondary", "Outdoor", "Indoor", "Top", "Bottom", "Main", "Backup", "Auxiliary",
                "Supplementary", "Inside", "Outside", "Left", "Right", "Internal", "External", "Solar",
            ].enumerated().map { (Self(rawValue: UInt8($0.offset)), $0.element) }
        }
    }
}
