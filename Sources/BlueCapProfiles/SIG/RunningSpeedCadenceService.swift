// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Running Speed and Cadence Service of the Bluetooth SIG: speed, steps and distance of a runner (Running Speed and
/// Cadence Service 1.0).
public enum RunningSpeedCadenceService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1814"
    public static let name = "Running Speed and Cadence"
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor (Running Speed and Cadence Service 1.0, 3.3).
    public typealias SensorLocation = BlueCapProfiles.SensorLocation
    /// The control point (Running Speed and Cadence Service 1.0, 3.4).
    public typealias ControlPoint = SpeedCadenceControlPoint
}

extension RunningSpeedCadenceService {
    /// Speed and cadence now, and where the sensor measures them, stride and distance (Running Speed and Cadence
    /// Service 1.0, 3.1; GATT Specification Supplement, RSC Measurement).
    ///
    /// One byte of flags, then speed and cadence and the fields that the flags announce, little-endian. Reserved flags
    /// and bytes behind the known fields are passed over and not kept, so that a newer sensor's measurements stay
    /// readable.
    public struct Measurement: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A53"
        public static let name = "RSC Measurement"
        public static let properties: CharacteristicProperties = [.notify]
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// A Boolean value that is true if the wearer runs; false when walking, or if the sensor does not distinguish
        /// the two.
        public var isRunning = false
        /// Metres per second, in steps of 1/256.
        public var speed = Scaled<UInt16, Per256>(rawValue: 0)
        /// The number of steps per minute of one foot, that is half of all steps.
        public var cadence: UInt8 = 0
        /// The length of a stride in metres, in steps of 1/100.
        public var strideLength: Scaled<UInt16, Per100>?
        /// The distance so far in metres, in steps of 1/10.
        public var totalDistance: Scaled<UInt32, Per10>?

        /// Creates a measurement of a wearer at rest.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("isRunning", \.isRunning), TextField("speed", unit: "m/s", \.speed),
            TextField("cadence", unit: "1/min", \.cadence),
            TextField("strideLength", unit: "m", \.strideLength),
            TextField("totalDistance", unit: "m", \.totalDistance),
        ]
        #endif

        static var flagByteCount: Int { 1 }

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            visitor.flag(&isRunning, 2)
            try visitor.field(&speed)
            try visitor.field(&cadence)
            try visitor.field(&strideLength, 0)
            try visitor.field(&totalDistance, 1)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }
    }

    /// The capabilities of the sensor: 16 flags, little-endian (Running Speed and Cadence Service 1.0, 3.2; GATT
    /// Specification Supplement, RSC Feature).
    public struct Feature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A54"
        public static let name = "RSC Feature"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [7, 0]

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The sensor measures the length of the stride.
        public static let strideLength = Self(rawValue: 1 << 0)
        /// The sensor measures the distance.
        public static let totalDistance = Self(rawValue: 1 << 1)
        /// The sensor distinguishes walking from running.
        public static let walkingOrRunning = Self(rawValue: 1 << 2)
        /// The sensor supports calibration.
        public static let calibration = Self(rawValue: 1 << 3)
        /// The sensor has several possible locations, one of which a central can set.
        public static let multipleSensorLocations = Self(rawValue: 1 << 4)

        public static let flagNames: [(Self, String)] = [
            (.strideLength, "Instantaneous Stride Length"), (.totalDistance, "Total Distance"),
            (.walkingOrRunning, "Walking or Running Status"), (.calibration, "Calibration Procedure"),
            (.multipleSensorLocations, "Multiple Sensor Locations"),
        ]
    }
}
