// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension BloodPressureService {
    /// A finished measurement of the blood pressure (Blood Pressure Service 1.0, 3.1; GATT Specification Supplement,
    /// Blood Pressure Measurement).
    ///
    /// One byte of flags, then the three pressures and the fields that the flags announce, little-endian. Reserved
    /// flags and bytes behind the known fields are passed over and not kept, so that a newer device's measurements stay
    /// readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A35"
        public static let name = "Blood Pressure Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The systolic pressure in ``unit``; NaN where there is none.
        public var systolic = SFloat.nan
        /// The diastolic pressure in ``unit``; NaN where there is none.
        public var diastolic = SFloat.nan
        /// The mean arterial pressure in ``unit``; NaN where there is none.
        public var meanArterialPressure = SFloat.nan
        /// The unit of all three.
        public var unit = PressureUnit.millimetresOfMercury
        /// The time of the measurement by the device's clock.
        public var timeStamp: DateTime?
        /// The heart rate in beats per minute.
        public var pulseRate: SFloat?
        /// The number of the user; 255 for an unknown user.
        public var userID: UInt8?
        /// The conditions that the monitor detected.
        public var status: Status?

        /// The units of pressure.
        public enum PressureUnit: String, Sendable, CaseIterable {
            /// Millimetres of mercury (mmHg).
            case millimetresOfMercury
            /// Kilopascals (kPa), of which one is about 7.5 mmHg.
            case kilopascals

            var symbol: String { self == .millimetresOfMercury ? "mmHg" : "kPa" }
        }

        /// No measurement: three times NaN.
        public init() {}

        #if !hasFeature(Embedded)
        /// `systolic`, `diastolic`, `meanArterialPressure`, `unit`, and where the value has them, `timeStamp`,
        /// `pulseRate` (beats per minute), `userID` (or "unknown") and `status`.
        public static let textFields: [TextField<Self>] = [
            TextField("systolic", unitOfValue: \.unit.symbol, \.systolic),
            TextField("diastolic", unitOfValue: \.unit.symbol, \.diastolic),
            TextField("meanArterialPressure", unitOfValue: \.unit.symbol, \.meanArterialPressure),
            TextField(name: "unit", \.unit),
            TextField("timeStamp", \.timeStamp),
            TextField("pulseRate", unit: "bpm", \.pulseRate),
            TextField("userID", \.userID, unknown: .max),
            TextField("status", \.status),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            visitor.choice(&unit, 0, .millimetresOfMercury, or: .kilopascals)
            try visitor.field(&systolic)
            try visitor.field(&diastolic)
            try visitor.field(&meanArterialPressure)
            try visitor.field(&timeStamp, 1)
            try visitor.field(&pulseRate, 2)
            try visitor.field(&userID, 3)
            try visitor.field(&status, 4)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }

    /// The pressure in the cuff while the measurement goes on, in the form of ``Measurement``: its systolic pressure,
    /// the other two being NaN (Blood Pressure Service 1.0, 3.2; GATT Specification Supplement, Intermediate Cuff
    /// Pressure).
    public struct IntermediateCuffPressure: IntermediateMeasurement {
        public static let uuid: BluetoothUUID = "2A36"
        public static let name = "Intermediate Cuff Pressure"

        public var measurement: Measurement

        public init(_ measurement: Measurement) { self.measurement = measurement }
    }
}
