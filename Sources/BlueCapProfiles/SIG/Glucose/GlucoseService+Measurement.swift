// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension GlucoseService {
    /// A measurement of blood sugar (Glucose Service 1.0, 3.1; GATT Specification Supplement, Glucose Measurement).
    ///
    /// One byte of flags, the sequence number and the time, then the fields that the flags announce, little-endian.
    /// Reserved flags and bytes behind the known fields are passed over and not kept, so that a newer meter's
    /// measurements stay readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A18"
        public static let name = "Glucose Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The number of the record, which the ``Context`` of the measurement repeats.
        public var sequenceNumber: UInt16
        /// The time of the measurement by the meter's clock, without the offset.
        public var baseTime: DateTime
        /// The minutes to add to the time: the user's changes of the clock.
        public var timeOffset: Int16?
        /// The concentration of glucose, if the meter has a result.
        public var concentration: Concentration?
        /// The conditions that the meter detected.
        public var status: Status?
        /// A Boolean value that is true if a ``Context`` with the same sequence number follows.
        public var isContextFollowing = false

        /// Creates a measurement without a result.
        ///
        /// - Parameters:
        ///   - sequenceNumber: The number of the record.
        ///   - baseTime: The time by the meter's clock, without the offset.
        public init(sequenceNumber: UInt16, baseTime: DateTime) {
            (self.sequenceNumber, self.baseTime) = (sequenceNumber, baseTime)
        }

        /// Number 0 at an unknown date.
        public init() { self.init(sequenceNumber: 0, baseTime: DateTime()) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("sequenceNumber", \.sequenceNumber),
            TextField("baseTime", \.baseTime),
            TextField("timeOffset", unit: "min", \.timeOffset),
            TextField(
                "concentration", \.concentration, \.value, initial: Concentration(),
                unitOfValue: \.concentration?.unit.rawValue),
            TextField("unit", \.concentration, \.unit, initial: Concentration()),
            TextField("type", \.concentration, \.type, initial: Concentration()),
            TextField("sampleLocation", \.concentration, \.sampleLocation, initial: Concentration()),
            TextField("status", \.status),
            TextField("isContextFollowing", \.isContextFollowing),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt8.self)
            sequenceNumber = try reader.read()
            baseTime = try reader.read()
            if flags & 0x01 != 0 { timeOffset = try reader.read() }
            if flags & 0x02 != 0 {
                let value = try reader.read(SFloat.self)
                let nibbles = try reader.read(UInt8.self)
                concentration = Concentration(
                    value: value, unit: flags & 0x04 == 0 ? .kilogramsPerLitre : .molesPerLitre,
                    type: SampleType(rawValue: nibbles), sampleLocation: SampleLocation(rawValue: nibbles >> 4))
            }
            if flags & 0x08 != 0 { status = try reader.read() }
            isContextFollowing = flags & 0x10 != 0
        }

        public var encodedByteCount: Int {
            10 + (timeOffset == nil ? 0 : 2) + (concentration == nil ? 0 : 3) + (status == nil ? 0 : 2)
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags: UInt8 = isContextFollowing ? 0x10 : 0
            if timeOffset != nil { flags |= 0x01 }
            if let concentration { flags |= concentration.unit == .molesPerLitre ? 0x06 : 0x02 }
            if status != nil { flags |= 0x08 }
            output.write(flags)
            output.write(sequenceNumber)
            baseTime.encode(into: &output)
            timeOffset?.encode(into: &output)
            if let concentration {
                concentration.value.encode(into: &output)
                output.write(concentration.type.rawValue | concentration.sampleLocation.rawValue << 4)
            }
            status?.encode(into: &output)
        }
    }

    /// A concentration, and the sample that was measured.
    public struct Concentration: Hashable, Sendable {
        /// The concentration in ``unit``.
        public var value: SFloat
        /// The unit in which the value is given.
        public var unit: Unit
        /// The type of the sample.
        public var type: SampleType
        /// The place from which the sample was taken.
        public var sampleLocation: SampleLocation

        /// The units of concentration.
        public enum Unit: String, Sendable, CaseIterable, LosslessStringConvertible {
            /// kg/L; 0.001 is 100 mg/dL.
            case kilogramsPerLitre = "kg/L"
            /// mol/L; 0.0055 is 5.5 mmol/L.
            case molesPerLitre = "mol/L"

            /// "kg/L" or "mol/L".
            public var description: String { rawValue }

            /// Creates the unit with the text; nil for any other.
            public init?(_ description: String) { self.init(rawValue: description) }
        }

        /// Creates a result.
        ///
        /// - Parameters:
        ///   - value: The concentration in `unit`; NaN where there is none.
        ///   - unit: The unit of the concentration.
        ///   - type: The type of the sample.
        ///   - sampleLocation: The place from which the sample was taken.
        public init(
            value: SFloat = .nan, unit: Unit = .kilogramsPerLitre, type: SampleType = .undeterminedWholeBlood,
            sampleLocation: SampleLocation = .notAvailable
        ) {
            (self.value, self.unit, self.type, self.sampleLocation) = (value, unit, type, sampleLocation)
        }

        /// The concentration in milligrams per decilitre; nil when the unit is another, and when there is no number.
        public var milligramsPerDecilitre: Double? {
            unit == .kilogramsPerLitre && value.isFinite ? value.doubleValue * 100_000 : nil
        }

        /// The concentration in millimoles per litre; nil when the unit is another, and when there is no number.
        public var millimolesPerLitre: Double? {
            unit == .molesPerLitre && value.isFinite ? value.doubleValue * 1000 : nil
        }
    }
}
