// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The route to follow: 16 flags, bearing and heading, and the fields that the flags announce (Location and
    /// Navigation Service 1.0, 3.5; GATT Specification Supplement, Navigation).
    ///
    /// Reserved flags, and bytes behind the known fields, are passed over and not kept.
    public struct Navigation: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable,
        FlaggedFields
    {
        public static let uuid: BluetoothUUID = "2A68"
        public static let name = "Navigation"
        public static let properties: CharacteristicProperties = .notify
        public static let permissions: AttributePermissions = []
        public static let surplusBytes = SurplusBytes.ignore

        /// The bearing of the target in degrees clockwise from north, in steps of 0.01.
        public var bearing = Scaled<UInt16, Per100>(rawValue: 0)
        /// The heading of the device in degrees clockwise from north, in steps of 0.01.
        public var heading = Scaled<UInt16, Per100>(rawValue: 0)
        /// The distance to go in metres, in steps of 0.1.
        public var remainingDistance: Scaled<UInt24, Per10>?
        /// The metres to climb, in steps of 0.01; to descend when negative.
        public var remainingVerticalDistance: Scaled<Int24, Per100>?
        /// The time of arrival in UTC.
        public var estimatedTimeOfArrival: DateTime?
        /// The status of the location.
        public var positionStatus = PositionStatus.noPosition
        /// The source of the heading.
        public var headingSource = HeadingSource.movement
        /// A Boolean value that is true if the values refer to the destination, and false if to the next waypoint.
        public var isToDestination = false
        /// A Boolean value that is true if the waypoint is reached.
        public var isWaypointReached = false
        /// A Boolean value that is true if the destination is reached.
        public var isDestinationReached = false

        /// North, and no position.
        public init() {}

        mutating func visit(_ visitor: inout some FieldVisitor & ~Copyable & ~Escapable) throws(SerDeError) {
            try visitor.field(&bearing)
            try visitor.field(&heading)
            try visitor.field(&remainingDistance, 0)
            try visitor.field(&remainingVerticalDistance, 1)
            try visitor.field(&estimatedTimeOfArrival, 2)
            visitor.number(&positionStatus, 3, count: 2)
            visitor.number(&headingSource, 5, count: 1)
            visitor.flag(&isToDestination, 6)
            visitor.flag(&isWaypointReached, 7)
            visitor.flag(&isDestinationReached, 8)
        }

        public init(from reader: inout ByteReader) throws(SerDeError) { try self.init(fieldsFrom: &reader) }

        public var encodedByteCount: Int { fieldByteCount }

        public func encode(into output: inout OutputRawSpan) { encodeFields(into: &output) }

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("bearing", unit: "°", \.bearing), TextField("heading", unit: "°", \.heading),
            TextField("remainingDistance", unit: "m", \.remainingDistance),
            TextField("remainingVerticalDistance", unit: "m", \.remainingVerticalDistance),
            TextField("estimatedTimeOfArrival", \.estimatedTimeOfArrival),
            TextField(choice: "positionStatus", \.positionStatus), TextField(choice: "headingSource", \.headingSource),
            TextField("isToDestination", \.isToDestination), TextField("isWaypointReached", \.isWaypointReached),
            TextField("isDestinationReached", \.isDestinationReached),
        ]
        #endif
    }
}
