// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension BodyCompositionService {
    /// The share of fat in a body, and further optional values of the scale (Body Composition Service 1.0, 3.2; GATT
    /// Specification Supplement, Body Composition Measurement).
    ///
    /// Two bytes of flags, then the share of fat and the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer scale's measurements stay
    /// readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        MeasuredInSystem, FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A9C"
        public static let name = "Body Composition Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The units of masses and heights.
        public var system = MeasurementSystem.metric
        /// The share of fat in percent, in steps of 1/10; the raw value 65535 when it was not measured.
        public var bodyFatPercentage = Scaled<UInt16, Per10>(rawValue: 0)
        /// The time of the measurement by the scale's clock.
        public var timeStamp: DateTime?
        /// The number of the user; 255 for an unknown user.
        public var userID: UInt8?
        /// The basal metabolism of a day in kilojoules.
        public var basalMetabolism: UInt16?
        /// The share of muscle in percent, in steps of 1/10.
        public var musclePercentage: Scaled<UInt16, Per10>?
        /// The mass of muscle as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var muscleMassRaw: UInt16?
        /// The mass without fat as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var fatFreeMassRaw: UInt16?
        /// The mass without fat and bone as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var softLeanMassRaw: UInt16?
        /// The mass of water as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var bodyWaterMassRaw: UInt16?
        /// The impedance of the body in ohms, in steps of 1/10.
        public var impedance: Scaled<UInt16, Per10>?
        /// The weight as it is sent, in steps of 0.005 kg or 0.01 lb.
        public var weightRaw: UInt16?
        /// The height as it is sent, in steps of 0.001 m or 0.1 in.
        public var heightRaw: UInt16?
        /// A Boolean value that is true if this is one of two values that make up one measurement.
        public var isMultiplePacket = false

        /// Creates a metric measurement of no fat.
        public init() {}

        /// The mass of muscle in kilograms or pounds, by ``system``.
        public var muscleMass: Double? { muscleMassRaw.map(system.mass(raw:)) }
        /// The mass without fat in kilograms or pounds, by ``system``.
        public var fatFreeMass: Double? { fatFreeMassRaw.map(system.mass(raw:)) }
        /// The mass without fat and bone in kilograms or pounds, by ``system``.
        public var softLeanMass: Double? { softLeanMassRaw.map(system.mass(raw:)) }
        /// The mass of water in kilograms or pounds, by ``system``.
        public var bodyWaterMass: Double? { bodyWaterMassRaw.map(system.mass(raw:)) }
        /// The weight in kilograms or pounds, by ``system``.
        public var weight: Double? { weightRaw.map(system.mass(raw:)) }
        /// The height in metres or inches, by ``system``.
        public var height: Double? { heightRaw.map(system.height(raw:)) }

        #if !hasFeature(Embedded)
        /// `system`, `bodyFatPercentage` (%, or "unknown") and `isMultiplePacket`; where the value has them, the time
        /// stamp, the user (or "unknown"), the metabolism (kJ), percentages (%), masses (kg or lb), the impedance (Ω)
        /// and the height (m or in).
        public static let textFields: [TextField<Self>] = [
            TextField(name: "system", \.system),
            TextField("bodyFatPercentage", unit: "%", \.bodyFatPercentage, unknown: Scaled(rawValue: .max)),
            TextField("timeStamp", \.timeStamp),
            TextField("userID", \.userID, unknown: .max),
            TextField("basalMetabolism", unit: "kJ", \.basalMetabolism),
            TextField("musclePercentage", unit: "%", \.musclePercentage),
            TextField(mass: "muscleMass", \.muscleMassRaw),
            TextField(mass: "fatFreeMass", \.fatFreeMassRaw),
            TextField(mass: "softLeanMass", \.softLeanMassRaw),
            TextField(mass: "bodyWaterMass", \.bodyWaterMassRaw),
            TextField("impedance", unit: "Ω", \.impedance),
            TextField(mass: "weight", \.weightRaw),
            TextField(height: "height", \.heightRaw),
            TextField("isMultiplePacket", \.isMultiplePacket),
        ]
        #endif

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            visitor.choice(&system, 0, .metric, or: .imperial)
            try visitor.field(&bodyFatPercentage)
            try visitor.field(&timeStamp, 1)
            try visitor.field(&userID, 2)
            try visitor.field(&basalMetabolism, 3)
            try visitor.field(&musclePercentage, 4)
            try visitor.field(&muscleMassRaw, 5)
            try visitor.field(&fatFreeMassRaw, 6)
            try visitor.field(&softLeanMassRaw, 7)
            try visitor.field(&bodyWaterMassRaw, 8)
            try visitor.field(&impedance, 9)
            try visitor.field(&weightRaw, 10)
            try visitor.field(&heightRaw, 11)
            visitor.flag(&isMultiplePacket, 12)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }
}
