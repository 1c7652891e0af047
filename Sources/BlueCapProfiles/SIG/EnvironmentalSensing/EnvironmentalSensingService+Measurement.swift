// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The descriptor that tells how a characteristic is measured: eleven bytes (Environmental Sensing Service 1.0,
    /// 3.1.2.1).
    ///
    /// It is read with `Descriptor.read(timeout:)` and `SerDe.deserialize`. The first two bytes are flags without a
    /// meaning yet; they are passed over, and zero is written.
    public struct MeasurementDescriptor: ByteCodable, TextFieldCoding, Hashable {
        /// The UUID that is assigned to the attribute: 290C.
        public static let uuid: BluetoothUUID = "290C"
        /// The name of the descriptor.
        public static let name = "Environmental Sensing Measurement"

        /// What is computed from the samples.
        public var samplingFunction: SamplingFunction
        /// Seconds over which is measured; 0 says that it does not apply.
        public var measurementPeriod: UInt24
        /// Seconds from value to value inside the device; 0 says that it does not apply.
        public var updateInterval: UInt24
        /// Where or on what is measured.
        public var application: Application
        /// By how much the value may be off, in percent of 0.5; the raw value 255 says that it is not known.
        public var uncertainty: Scaled<UInt8, Per2>

        /// Creates a description in which nothing is specified.
        public init() { self.init(samplingFunction: .unspecified) }

        /// Creates a description of how a value is measured; what is left out is not specified.
        public init(
            samplingFunction: SamplingFunction, measurementPeriod: UInt24 = 0, updateInterval: UInt24 = 0,
            application: Application = .unspecified, uncertainty: Scaled<UInt8, Per2> = Scaled(rawValue: 255)
        ) {
            (self.samplingFunction, self.measurementPeriod) = (samplingFunction, measurementPeriod)
            (self.updateInterval, self.application) = (updateInterval, application)
            self.uncertainty = uncertainty
        }

        /// Reads eleven bytes.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            try reader.skip(2)
            samplingFunction = SamplingFunction(rawValue: try reader.read())
            measurementPeriod = try reader.read()
            updateInterval = try reader.read()
            application = Application(rawValue: try reader.read())
            uncertainty = try reader.read()
        }

        /// The encoded value has eleven bytes.
        public var encodedByteCount: Int { 11 }

        /// Appends eleven bytes.
        public func encode(into output: inout OutputRawSpan) {
            output.write(UInt16(0))
            output.write(samplingFunction.rawValue)
            measurementPeriod.encode(into: &output)
            updateInterval.encode(into: &output)
            output.write(application.rawValue)
            uncertainty.encode(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `samplingFunction`, `measurementPeriod` (s), `updateInterval` (s), `application` and `uncertainty` (%).
        public static let textFields: [TextField<Self>] = [
            TextField(choice: "samplingFunction", \.samplingFunction),
            TextField("measurementPeriod", \.measurementPeriod), TextField("updateInterval", \.updateInterval),
            TextField(choice: "application", \.application), TextField("uncertainty", \.uncertainty),
        ]
        #endif

        /// What can be computed from samples.
        public struct SamplingFunction: AssignedNumber {
            /// The number as it is sent.
            public let rawValue: UInt8

            /// A function from the number as it is sent.
            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Not told.
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
            /// The sum.
            public static let accumulated = Self(rawValue: 6)
            /// How many there were.
            public static let count = Self(rawValue: 7)

            /// The functions that have names.
            public static let assigned: [(Self, String)] = [
                (.unspecified, "Unspecified"), (.instantaneous, "Instantaneous"), (.mean, "Arithmetic Mean"),
                (.rootMeanSquare, "RMS"), (.maximum, "Maximum"), (.minimum, "Minimum"),
                (.accumulated, "Accumulated"), (.count, "Count"),
            ]
        }

        /// Where or on what is measured.
        public struct Application: AssignedNumber {
            /// The number as it is sent.
            public let rawValue: UInt8

            /// An application from the number as it is sent.
            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Not told.
            public static let unspecified = Self(rawValue: 0)
            /// In the air.
            public static let air = Self(rawValue: 1)
            /// In the water.
            public static let water = Self(rawValue: 2)
            /// In the soil.
            public static let soil = Self(rawValue: 4)
            /// Outdoors.
            public static let outdoor = Self(rawValue: 0x13)
            /// Indoors.
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
