// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension HealthThermometerService {
    /// A finished measurement of the temperature (Health Thermometer Service 1.0, 3.1; GATT Specification Supplement,
    /// Temperature Measurement).
    ///
    /// One byte of flags, then the temperature and the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer device's measurements stay
    /// readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A1C"
        public static let name = "Temperature Measurement"
        public static let properties: CharacteristicProperties = [.indicate]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The temperature in ``unit``; NaN where there is none.
        public var temperature: MedFloat
        /// The unit of the temperature.
        public var unit: TemperatureUnit
        /// The time of the measurement by the device's clock.
        public var timeStamp: DateTime?
        /// The part of the body where it was taken.
        public var type: TemperatureType?

        /// The units of temperature.
        public enum TemperatureUnit: String, Sendable, CaseIterable {
            /// The Celsius scale: degrees Celsius.
            case celsius
            /// The Fahrenheit scale: degrees Fahrenheit.
            case fahrenheit

            var symbol: String { self == .celsius ? "°C" : "°F" }
        }

        /// Creates a measurement.
        ///
        /// - Parameters:
        ///   - temperature: The temperature in `unit`; NaN where there is none.
        ///   - unit: The unit of the temperature.
        ///   - timeStamp: The time of the measurement by the device's clock.
        ///   - type: The part of the body.
        public init(
            temperature: MedFloat, unit: TemperatureUnit = .celsius, timeStamp: DateTime? = nil,
            type: TemperatureType? = nil
        ) {
            (self.temperature, self.unit, self.timeStamp, self.type) = (temperature, unit, timeStamp, type)
        }

        /// No measurement: NaN.
        public init() { self.init(temperature: .nan) }

        /// The temperature in degrees Celsius, converted if it was sent in Fahrenheit.
        public var celsius: Double {
            unit == .celsius ? temperature.doubleValue : (temperature.doubleValue - 32) / 1.8
        }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("temperature", unitOfValue: \.unit.symbol, \.temperature),
            TextField(name: "unit", \.unit),
            TextField("timeStamp", \.timeStamp),
            TextField(choice: "type", \.type),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            visitor.choice(&unit, 0, .celsius, or: .fahrenheit)
            try visitor.field(&temperature)
            try visitor.field(&timeStamp, 1)
            try visitor.field(&type, 2)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }

    /// A temperature while the measurement goes on, in the form of ``Measurement`` (Health Thermometer Service 1.0,
    /// 3.3; GATT Specification Supplement, Intermediate Temperature).
    public struct IntermediateTemperature: IntermediateMeasurement {
        public static let uuid: BluetoothUUID = "2A1E"
        public static let name = "Intermediate Temperature"

        public var measurement: Measurement

        public init(_ measurement: Measurement) { self.measurement = measurement }
    }
}
