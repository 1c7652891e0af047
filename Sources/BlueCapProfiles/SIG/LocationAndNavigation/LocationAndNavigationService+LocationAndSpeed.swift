// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The location and the movement of the device: 16 flags and the fields that they announce (Location and Navigation
    /// Service 1.0, 3.2; GATT Specification Supplement, Location and Speed).
    ///
    /// Reserved flags, and bytes behind the known fields, are passed over and not kept.
    public struct LocationAndSpeed: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A67"
        public static let name = "Location and Speed"
        public static let properties: CharacteristicProperties = .notify
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The speed in metres per second, in steps of 0.01.
        public var speed: Scaled<UInt16, Per100>?
        /// The distance since the start in metres, in steps of 0.1.
        public var totalDistance: Scaled<UInt24, Per10>?
        /// The place on the Earth.
        public var location: Location?
        /// The elevation above sea level in metres, in steps of 0.01.
        public var elevation: Scaled<Int24, Per100>?
        /// The heading in degrees clockwise from north, in steps of 0.01.
        public var heading: Scaled<UInt16, Per100>?
        /// A count of seconds that rolls over from 255 to 0.
        public var rollingTime: UInt8?
        /// The time of the measurement in UTC.
        public var utcTime: DateTime?
        /// The status of the location.
        public var positionStatus = PositionStatus.noPosition
        /// A Boolean value that is true if speed and distance include the vertical movement.
        public var isThreeDimensional = false
        /// The source of the elevation.
        public var elevationSource = ElevationSource.positioningSystem
        /// The source of the heading.
        public var headingSource = HeadingSource.movement

        /// No field, and no position.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&speed, 0)
            try visitor.field(&totalDistance, 1)
            try visitor.field(&location, 2)
            try visitor.field(&elevation, 3)
            try visitor.field(&heading, 4)
            try visitor.field(&rollingTime, 5)
            try visitor.field(&utcTime, 6)
            visitor.number(&positionStatus, 7, count: 2)
            visitor.flag(&isThreeDimensional, 9)
            visitor.number(&elevationSource, 10, count: 2)
            visitor.number(&headingSource, 12, count: 1)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("speed", unit: "m/s", \.speed), TextField("totalDistance", unit: "m", \.totalDistance),
            TextField("latitude", unit: "°", \.location, \.latitude, initial: .zero),
            TextField("longitude", unit: "°", \.location, \.longitude, initial: .zero),
            TextField("elevation", unit: "m", \.elevation), TextField("heading", unit: "°", \.heading),
            TextField("rollingTime", unit: "s", \.rollingTime), TextField("utcTime", \.utcTime),
            TextField(choice: "positionStatus", \.positionStatus),
            TextField("isThreeDimensional", \.isThreeDimensional),
            TextField(choice: "elevationSource", \.elevationSource),
            TextField(choice: "headingSource", \.headingSource),
        ]
        #endif

        /// The source of an elevation: two bits of the flags.
        public struct ElevationSource: AssignedNumber {
            /// The number as it is sent, 0 through 3; only the lowest two bits of another are.
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue & 3 }

            /// The positioning system.
            public static let positioningSystem = Self(rawValue: 0)
            /// The air's pressure.
            public static let barometric = Self(rawValue: 1)
            /// A database of elevations.
            public static let database = Self(rawValue: 2)
            /// A source that has no number of its own.
            public static let other = Self(rawValue: 3)

            public static let assigned: [(Self, String)] = [
                (.positioningSystem, "Positioning System"), (.barometric, "Barometric Air Pressure"),
                (.database, "Database Service"), (.other, "Other"),
            ]
        }
    }

    /// A place on the Earth: eight bytes.
    public struct Location: ByteCodable, Hashable {
        /// The degrees north, in steps of 0.0000001.
        public var latitude: Scaled<Int32, Per10000000>
        /// The degrees east, in steps of 0.0000001.
        public var longitude: Scaled<Int32, Per10000000>

        /// Creates a place.
        ///
        /// - Parameters:
        ///   - latitude: The degrees north, in steps of 0.0000001; negative in the south.
        ///   - longitude: The degrees east, in steps of 0.0000001; negative in the west.
        public init(latitude: Scaled<Int32, Per10000000>, longitude: Scaled<Int32, Per10000000>) {
            (self.latitude, self.longitude) = (latitude, longitude)
        }

        /// Creates a place from the nearest steps of 0.0000001 degrees.
        ///
        /// - Parameters:
        ///   - latitude: The degrees north, −90 to 90.
        ///   - longitude: The degrees east, −180 to 180.
        /// - Throws: `SerDeError.invalidValue(offset:)` when one is out of range, with its place among the eight bytes.
        public init(latitude: Double, longitude: Double) throws(SerDeError) {
            guard (-90...90).contains(latitude) else { throw .invalidValue(offset: 0) }
            guard (-180...180).contains(longitude) else { throw .invalidValue(offset: 4) }
            try self.init(latitude: Scaled(latitude), longitude: Scaled(longitude))
        }

        public init(from reader: inout ByteReader) throws(SerDeError) {
            latitude = try reader.read()
            longitude = try reader.read()
        }

        public var encodedByteCount: Int { 8 }

        public func encode(into output: inout OutputRawSpan) {
            latitude.encode(into: &output)
            longitude.encode(into: &output)
        }

        /// Where the equator meets the first meridian, the value from which texts start.
        static var zero: Self { Self(latitude: Scaled(rawValue: 0), longitude: Scaled(rawValue: 0)) }
    }
}
