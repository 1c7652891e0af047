// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension LocationAndNavigationService {
    /// The requests of a central, and the responses of the device (Location and Navigation Service 1.0, 3.4; GATT
    /// Specification Supplement, LN Control Point).
    ///
    /// One byte of op code, then its parameter; numbers are little-endian.
    public struct LNControlPoint: ControlPointValue {
        public static let uuid: BluetoothUUID = "2A6B"
        public static let name = "LN Control Point"
        public static let responseCode = OpCode.responseCode

        public var opCode: OpCode
        public var parameter: Bytes

        public init(opCode: OpCode, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

        /// Returns a request to set the distance so far, in metres of 0.1.
        public static func setCumulativeValue(_ distance: Scaled<UInt24, Per10>) -> Self {
            Self(opCode: .setCumulativeValue, parameter: SerDe.serialize(distance))
        }

        /// Returns a request to leave fields out of Location and Speed.
        public static func mask(_ fields: ContentMask) -> Self {
            Self(opCode: .maskLocationAndSpeed, parameter: SerDe.serialize(fields.rawValue))
        }

        /// Returns a request to control the navigation.
        public static func navigate(_ command: NavigationCommand) -> Self {
            Self(opCode: .navigationControl, parameter: [command.rawValue])
        }

        /// A request for the number of stored routes.
        public static var requestNumberOfRoutes: Self { Self(opCode: .requestNumberOfRoutes) }

        /// Returns a request for the name of a route, counted from 0.
        public static func requestNameOfRoute(_ route: UInt16) -> Self {
            Self(opCode: .requestNameOfRoute, parameter: SerDe.serialize(route))
        }

        /// Returns a request to select a route, counted from 0.
        public static func selectRoute(_ route: UInt16) -> Self {
            Self(opCode: .selectRoute, parameter: SerDe.serialize(route))
        }

        /// Returns a request to set the seconds from location to location; 0 stands for less than one.
        public static func setFixRate(seconds: UInt8) -> Self { Self(opCode: .setFixRate, parameter: [seconds]) }

        /// Returns a request to set the elevation, in metres of 0.01, from which a barometer then continues.
        public static func setElevation(_ elevation: Scaled<Int24, Per100>) -> Self {
            Self(opCode: .setElevation, parameter: SerDe.serialize(elevation))
        }

        /// The number of routes, from the answer to ``requestNumberOfRoutes``; nil when this is none.
        public var numberOfRoutes: UInt16? {
            guard let response, response.request == .requestNumberOfRoutes, response.result == .success else {
                return nil
            }
            return try? SerDe.deserialize(response.parameter, as: UInt16.self)
        }

        /// The name of the route, from the answer to ``requestNameOfRoute(_:)``; nil when this is none.
        public var nameOfRoute: String? {
            guard let response, response.request == .requestNameOfRoute, response.result == .success else { return nil }
            return try? SerDe.deserialize(response.parameter, as: String.self)
        }

        /// The procedures of the control point.
        public struct OpCode: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Set the distance so far.
            public static let setCumulativeValue = Self(rawValue: 1)
            /// Leave fields out of Location and Speed: a ``ContentMask``.
            public static let maskLocationAndSpeed = Self(rawValue: 2)
            /// Tell the navigation what to do: a ``NavigationCommand``.
            public static let navigationControl = Self(rawValue: 3)
            /// Ask how many routes are stored.
            public static let requestNumberOfRoutes = Self(rawValue: 4)
            /// Ask for the name of a route.
            public static let requestNameOfRoute = Self(rawValue: 5)
            /// Select a route.
            public static let selectRoute = Self(rawValue: 6)
            /// Set the seconds from location to location.
            public static let setFixRate = Self(rawValue: 7)
            /// Set the elevation.
            public static let setElevation = Self(rawValue: 8)
            /// The response to a request.
            public static let responseCode = Self(rawValue: 0x20)

            public static let assigned: [(Self, String)] = [
                (.setCumulativeValue, "Set Cumulative Value"),
                (.maskLocationAndSpeed, "Mask Location and Speed Characteristic Content"),
                (.navigationControl, "Navigation Control"), (.requestNumberOfRoutes, "Request Number of Routes"),
                (.requestNameOfRoute, "Request Name of Route"), (.selectRoute, "Select Route"),
                (.setFixRate, "Set Fix Rate"), (.setElevation, "Set Elevation"), (.responseCode, "Response Code"),
            ]
        }

        /// The commands of navigation control.
        public struct NavigationCommand: AssignedNumber {
            public let rawValue: UInt8

            public init(rawValue: UInt8) { self.rawValue = rawValue }

            /// Stop the navigation.
            public static let stop = Self(rawValue: 0)
            /// Start the navigation.
            public static let start = Self(rawValue: 1)
            /// Pause the navigation.
            public static let pause = Self(rawValue: 2)
            /// Resume the navigation.
            public static let resume = Self(rawValue: 3)
            /// Leave out the next waypoint.
            public static let skipWaypoint = Self(rawValue: 4)
            /// Go to the nearest waypoint of the route.
            public static let nearestWaypoint = Self(rawValue: 5)

            public static let assigned: [(Self, String)] = [
                (.stop, "Stop"), (.start, "Start"), (.pause, "Pause"), (.resume, "Resume"),
                (.skipWaypoint, "Skip Waypoint"), (.nearestWaypoint, "Select Nearest Waypoint on a Route"),
            ]
        }

        /// The fields that can be left out of Location and Speed.
        public struct ContentMask: NamedFlags {
            public let rawValue: UInt16

            public init(rawValue: UInt16) { self.rawValue = rawValue }

            /// Mask the speed.
            public static let speed = Self(rawValue: 1 << 0)
            /// Mask the total distance.
            public static let totalDistance = Self(rawValue: 1 << 1)
            /// Mask the location.
            public static let location = Self(rawValue: 1 << 2)
            /// Mask the elevation.
            public static let elevation = Self(rawValue: 1 << 3)
            /// Mask the heading.
            public static let heading = Self(rawValue: 1 << 4)
            /// Mask the rolling time.
            public static let rollingTime = Self(rawValue: 1 << 5)
            /// Mask the time in UTC.
            public static let utcTime = Self(rawValue: 1 << 6)

            public static let flagNames: [(Self, String)] = [
                (.speed, "Instantaneous Speed"), (.totalDistance, "Total Distance"), (.location, "Location"),
                (.elevation, "Elevation"), (.heading, "Heading"), (.rollingTime, "Rolling Time"),
                (.utcTime, "UTC Time"),
            ]
        }
    }
}
