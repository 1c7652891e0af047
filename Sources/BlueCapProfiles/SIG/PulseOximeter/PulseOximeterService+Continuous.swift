// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PulseOximeterService {
    /// A measurement that goes on (Pulse Oximeter Service 1.0, 3.2; GATT Specification Supplement, PLX Continuous
    /// Measurement).
    ///
    /// One byte of flags, saturation and pulse, then the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer device's measurements stay
    /// readable.
    public struct ContinuousMeasurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A5F"
        public static let name = "PLX Continuous Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// Saturation and pulse, averaged as the device does normally.
        public var normal: Saturation
        /// The same averaged over a shorter time.
        public var fast: Saturation?
        /// The same averaged over a longer time.
        public var slow: Saturation?
        /// The status of the measurement.
        public var measurementStatus: MeasurementStatus?
        /// The status of the device and its sensor.
        public var deviceAndSensorStatus: DeviceAndSensorStatus?
        /// The strength of the pulse in percent.
        public var pulseAmplitudeIndex: SFloat?

        /// Creates a measurement.
        public init(normal: Saturation) { self.normal = normal }

        /// No measurement: NaN twice.
        public init() { self.init(normal: Saturation()) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("oxygen", unit: "%", \.normal.oxygen),
            TextField("pulseRate", unit: "bpm", \.normal.pulseRate),
            TextField("fastOxygen", unit: "%", \.fast, \.oxygen, initial: Saturation()),
            TextField("fastPulseRate", unit: "bpm", \.fast, \.pulseRate, initial: Saturation()),
            TextField("slowOxygen", unit: "%", \.slow, \.oxygen, initial: Saturation()),
            TextField("slowPulseRate", unit: "bpm", \.slow, \.pulseRate, initial: Saturation()),
            TextField("measurementStatus", \.measurementStatus),
            TextField("deviceAndSensorStatus", \.deviceAndSensorStatus),
            TextField("pulseAmplitudeIndex", unit: "%", \.pulseAmplitudeIndex),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&normal)
            try visitor.field(&fast, 0)
            try visitor.field(&slow, 1)
            try visitor.field(&measurementStatus, 2)
            try visitor.field(&deviceAndSensorStatus, 3)
            try visitor.field(&pulseAmplitudeIndex, 4)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }
}
