// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Cycling Speed and Cadence Service of the Bluetooth SIG: revolutions of a bicycle's wheel and crank (Cycling
/// Speed and Cadence Service 1.0).
public enum CyclingSpeedCadenceService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1816"
    public static let name = "Cycling Speed and Cadence"
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor (Cycling Speed and Cadence Service 1.0, 3.3).
    public typealias SensorLocation = BlueCapProfiles.SensorLocation
    /// The control point (Cycling Speed and Cadence Service 1.0, 3.4).
    public typealias ControlPoint = SpeedCadenceControlPoint
}

extension CyclingSpeedCadenceService {
    /// Revolutions and when the last one was, of the wheel, the crank or both (Cycling Speed and Cadence Service 1.0,
    /// 3.1; GATT Specification Supplement, CSC Measurement).
    ///
    /// One byte of flags, then the fields that they announce, little-endian. Reserved flags and bytes behind the known
    /// fields are passed over and not kept, so that a newer sensor's measurements stay readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A5B"
        public static let name = "CSC Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// Wheel revolutions: a `UInt32` that does not roll over in practice, and the time in 1/1024 s.
        public var wheel: RevolutionData<UInt32, Per1024>?
        /// Crank revolutions: a `UInt16`, and the time in 1/1024 s.
        public var crank: RevolutionData<UInt16, Per1024>?

        /// Creates a measurement of nothing.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("wheelRevolutions", \.wheel, \.revolutions, initial: .init()),
            TextField("wheelEventTime", unit: "s", \.wheel, \.eventTime, initial: .init()),
            TextField("crankRevolutions", \.crank, \.revolutions, initial: .init()),
            TextField("crankEventTime", unit: "s", \.crank, \.eventTime, initial: .init()),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&wheel, 0)
            try visitor.field(&crank, 1)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }

    /// The capabilities of the sensor: 16 flags, little-endian (Cycling Speed and Cadence Service 1.0, 3.2; GATT
    /// Specification Supplement, CSC Feature).
    public struct Feature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A5C"
        public static let name = "CSC Feature"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [3, 0]

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The sensor counts wheel revolutions.
        public static let wheelRevolutions = Self(rawValue: 1 << 0)
        /// The sensor counts crank revolutions.
        public static let crankRevolutions = Self(rawValue: 1 << 1)
        /// The sensor has several possible locations, one of which a central can set.
        public static let multipleSensorLocations = Self(rawValue: 1 << 2)

        public static let flagNames: [(Self, String)] = [
            (.wheelRevolutions, "Wheel Revolution Data"), (.crankRevolutions, "Crank Revolution Data"),
            (.multipleSensorLocations, "Multiple Sensor Locations"),
        ]
    }
}
