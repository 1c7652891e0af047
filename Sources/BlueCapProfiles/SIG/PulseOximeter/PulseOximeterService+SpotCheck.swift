// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PulseOximeterService {
    /// One finished measurement (Pulse Oximeter Service 1.0, 3.1; GATT Specification Supplement, PLX Spot-Check
    /// Measurement).
    ///
    /// One byte of flags, saturation and pulse, then the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer device's measurements stay
    /// readable.
    public struct SpotCheckMeasurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A5E"
        public static let name = "PLX Spot-Check Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// Saturation and pulse.
        public var saturation: Saturation
        /// The time of the measurement by the device's clock.
        public var timeStamp: DateTime?
        /// The status of the measurement.
        public var measurementStatus: MeasurementStatus?
        /// The status of the device and its sensor.
        public var deviceAndSensorStatus: DeviceAndSensorStatus?
        /// The strength of the pulse in percent.
        public var pulseAmplitudeIndex: SFloat?
        /// A Boolean value that is true if the device's clock was never set.
        public var isClockUnset = false

        /// Creates a measurement.
        public init(saturation: Saturation) { self.saturation = saturation }

        /// No measurement: NaN twice.
        public init() { self.init(saturation: Saturation()) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("oxygen", unit: "%", \.saturation.oxygen),
            TextField("pulseRate", unit: "bpm", \.saturation.pulseRate),
            TextField("timeStamp", \.timeStamp),
            TextField("measurementStatus", \.measurementStatus),
            TextField("deviceAndSensorStatus", \.deviceAndSensorStatus),
            TextField("pulseAmplitudeIndex", unit: "%", \.pulseAmplitudeIndex),
            TextField("isClockUnset", \.isClockUnset),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&saturation)
            try visitor.field(&timeStamp, 0)
            try visitor.field(&measurementStatus, 1)
            try visitor.field(&deviceAndSensorStatus, 2)
            try visitor.field(&pulseAmplitudeIndex, 3)
            visitor.flag(&isClockUnset, 4)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }
}
