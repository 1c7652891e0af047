// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The direction from which the wind seems to come to a moving observer, clockwise from the observer's heading, in
    /// 0.01 degrees (GATT Specification Supplement, Apparent Wind Direction).
    public struct ApparentWindDirection: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A73"
        public static let name = "Apparent Wind Direction"
        public static let unit = "°"
        /// The allowed range is 0 through 359.99.
        public static let range: ClosedRange<Double>? = 0...359.99

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The speed of the wind as it seems to a moving observer, in 0.01 m/s (GATT Specification Supplement, Apparent
    /// Wind Speed).
    public struct ApparentWindSpeed: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A72"
        public static let name = "Apparent Wind Speed"
        public static let unit = "m/s"

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The direction from which the wind comes, clockwise from true north, in 0.01 degrees (GATT Specification
    /// Supplement, True Wind Direction).
    public struct TrueWindDirection: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A71"
        public static let name = "True Wind Direction"
        public static let unit = "°"
        /// The allowed range is 0 through 359.99.
        public static let range: ClosedRange<Double>? = 0...359.99

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The speed of the wind over ground, in 0.01 m/s (GATT Specification Supplement, True Wind Speed).
    public struct TrueWindSpeed: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A70"
        public static let name = "True Wind Speed"
        public static let unit = "m/s"

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The speed of the strongest gust as a multiple of the mean speed, in 0.1 (GATT Specification Supplement, Gust
    /// Factor).
    public struct GustFactor: ScaledValue {
        public typealias Step = Per10
        public static let uuid: BluetoothUUID = "2A74"
        public static let name = "Gust Factor"
        public static let unit = ""

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
