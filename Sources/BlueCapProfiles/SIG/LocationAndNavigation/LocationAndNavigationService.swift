// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Location and Navigation Service of the Bluetooth SIG: where a device is, how it moves, and the way to go.
public enum LocationAndNavigationService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1819"
    public static let name = "Location and Navigation"
    public static let tag = BluetoothSIG.tag

    /// The capabilities of the device: 32 flags (Location and Navigation Service 1.0, 3.1; GATT Specification
    /// Supplement, LN Feature).
    public struct LNFeature: NamedFlags, CharacteristicValue, CharacteristicConfigurable, StringDeserializable {
        public static let uuid: BluetoothUUID = "2A6A"
        public static let name = "LN Feature"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable
        public static let initialValue: Bytes? = [4, 0, 0, 0]

        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The device measures the speed.
        public static let instantaneousSpeed = Self(rawValue: 1 << 0)
        /// The device measures the total distance.
        public static let totalDistance = Self(rawValue: 1 << 1)
        /// The device measures the location.
        public static let location = Self(rawValue: 1 << 2)
        /// The device measures the elevation.
        public static let elevation = Self(rawValue: 1 << 3)
        /// The device measures the heading.
        public static let heading = Self(rawValue: 1 << 4)
        /// The device sends the rolling time.
        public static let rollingTime = Self(rawValue: 1 << 5)
        /// The device sends the time in UTC.
        public static let utcTime = Self(rawValue: 1 << 6)
        /// The distance to go.
        public static let remainingDistance = Self(rawValue: 1 << 7)
        /// The climb to go.
        public static let remainingVerticalDistance = Self(rawValue: 1 << 8)
        /// The time of arrival.
        public static let estimatedTimeOfArrival = Self(rawValue: 1 << 9)
        /// The number of beacons (satellites) from which the location was computed.
        public static let beaconsInSolution = Self(rawValue: 1 << 10)
        /// The number of beacons (satellites) in view.
        public static let beaconsInView = Self(rawValue: 1 << 11)
        /// The time to the first location.
        public static let timeToFirstFix = Self(rawValue: 1 << 12)
        /// The error on the plane.
        public static let estimatedHorizontalPositionError = Self(rawValue: 1 << 13)
        /// The error in height.
        public static let estimatedVerticalPositionError = Self(rawValue: 1 << 14)
        /// The dilution of precision on the plane.
        public static let horizontalDilutionOfPrecision = Self(rawValue: 1 << 15)
        /// The dilution of precision in height.
        public static let verticalDilutionOfPrecision = Self(rawValue: 1 << 16)
        /// Fields of Location and Speed can be masked.
        public static let contentMasking = Self(rawValue: 1 << 17)
        /// The rate of locations can be set.
        public static let fixRateSetting = Self(rawValue: 1 << 18)
        /// The elevation can be set.
        public static let elevationSetting = Self(rawValue: 1 << 19)
        /// The status of the location.
        public static let positionStatus = Self(rawValue: 1 << 20)

        public static let flagNames: [(Self, String)] = [
            (.instantaneousSpeed, "Instantaneous Speed"), (.totalDistance, "Total Distance"), (.location, "Location"),
            (.elevation, "Elevation"), (.heading, "Heading"), (.rollingTime, "Rolling Time"), (.utcTime, "UTC Time"),
            (.remainingDistance, "Remaining Distance"), (.remainingVerticalDistance, "Remaining Vertical Distance"),
            (.estimatedTimeOfArrival, "Estimated Time of Arrival"),
            (.beaconsInSolution, "Number of Beacons in Solution"), (.beaconsInView, "Number of Beacons in View"),
            (.timeToFirstFix, "Time to First Fix"),
            (.estimatedHorizontalPositionError, "Estimated Horizontal Position Error"),
            (.estimatedVerticalPositionError, "Estimated Vertical Position Error"),
            (.horizontalDilutionOfPrecision, "Horizontal Dilution of Precision"),
            (.verticalDilutionOfPrecision, "Vertical Dilution of Precision"),
            (.contentMasking, "Content Masking"), (.fixRateSetting, "Fix Rate Setting"),
            (.elevationSetting, "Elevation Setting"), (.positionStatus, "Position Status"),
        ]
    }

    /// The status of a location: two bits of the flags.
    public struct PositionStatus: AssignedNumber {
        /// The number as it is sent, 0 through 3; only the lowest two bits of another are.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue & 3 }

        /// There is none.
        public static let noPosition = Self(rawValue: 0)
        /// The location was measured.
        public static let positionOK = Self(rawValue: 1)
        /// The location was estimated.
        public static let estimated = Self(rawValue: 2)
        /// The location is the last one known.
        public static let lastKnown = Self(rawValue: 3)

        public static let assigned: [(Self, String)] = [
            (.noPosition, "No Position"), (.positionOK, "Position OK"), (.estimated, "Estimated Position"),
            (.lastKnown, "Last Known Position"),
        ]
    }

    /// The source of a heading: one bit of the flags.
    public struct HeadingSource: AssignedNumber {
        /// The number as it is sent, 0 or 1; only the lowest bit of another is.
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue & 1 }

        /// The direction of the movement.
        public static let movement = Self(rawValue: 0)
        /// A magnetic compass.
        public static let compass = Self(rawValue: 1)

        public static let assigned: [(Self, String)] = [(.movement, "Movement"), (.compass, "Magnetic Compass")]
    }
}
