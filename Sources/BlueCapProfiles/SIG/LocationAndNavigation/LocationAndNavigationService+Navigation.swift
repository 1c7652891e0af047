// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The route to follow: 16 flags, bearing and heading, and the fields that the flags announce (Location and
    /// Navigation Service 1.0, 3.5; GATT Specification Supplement, Navigation).
    ///
    /// Reserved flags, and bytes behind the known fields, are passed over and not kept.
    public struct Navigation: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A68"
        public static let name = "Navigation"
        public static let properties: CharacteristicProperties = .notify
        public static let permissions: AttributePermissions = []
        /// Bytes behind the known fields are ignored.
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
        /// Whether all is about the destination, rather than the next waypoint.
        public var isToDestination = false
        /// Whether the waypoint is reached.
        public var isWaypointReached = false
        /// Whether the destination is reached.
        public var isDestinationReached = false

        /// North, and no position.
        public init() {}

        public init(from reader: inout ByteReader) throws(SerDeError) {
            let flags = try reader.read(UInt16.self)
            bearing = try reader.read()
            heading = try reader.read()
            remainingDistance = try reader.read(if: flags.bit(0))
            remainingVerticalDistance = try reader.read(if: flags.bit(1))
            estimatedTimeOfArrival = try reader.read(if: flags.bit(2))
            positionStatus = PositionStatus(rawValue: UInt8(flags >> 3 & 3))
            headingSource = HeadingSource(rawValue: UInt8(flags >> 5 & 1))
            isToDestination = flags.bit(6)
            isWaypointReached = flags.bit(7)
            isDestinationReached = flags.bit(8)
        }

        public var encodedByteCount: Int {
            6 + remainingDistance.fieldByteCount + remainingVerticalDistance.fieldByteCount
                + estimatedTimeOfArrival.fieldByteCount
        }

        public func encode(into output: inout OutputRawSpan) {
            var flags = UInt16(positionStatus.rawValue) << 3 | UInt16(headingSource.rawValue) << 5
            flags.set(0, if: remainingDistance != nil)
            flags.set(1, if: remainingVerticalDistance != nil)
            flags.set(2, if: estimatedTimeOfArrival != nil)
            flags.set(6, if: isToDestination)
            flags.set(7, if: isWaypointReached)
            flags.set(8, if: isDestinationReached)
            output.write(flags)
            bearing.encode(into: &output)
            heading.encode(into: &output)
            remainingDistance.encodeField(into: &output)
            remainingVerticalDistance.encodeField(into: &output)
            estimatedTimeOfArrival.encodeField(into: &output)
        }

        #if !hasFeature(Embedded)
        /// `bearing`, `heading`, `remainingDistance`, `remainingVerticalDistance`, `estimatedTimeOfArrival`,
        /// `positionStatus`, `headingSource`, `isToDestination`, `isWaypointReached` and `isDestinationReached`.
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
