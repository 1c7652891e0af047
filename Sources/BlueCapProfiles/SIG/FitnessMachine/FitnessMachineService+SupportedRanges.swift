// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// Speeds in kilometres per hour, in 0.01 (Fitness Machine Service 1.0, 4.11).
    public struct SupportedSpeedRange: FitnessMachineRange {
        public static let uuid: BluetoothUUID = "2AD4"
        public static let name = "Supported Speed Range"
        public static let unit = "km/h"

        public var minimum: Scaled<UInt16, Per100>
        public var maximum: Scaled<UInt16, Per100>
        public var minimumIncrement: Scaled<UInt16, Per100>

        /// Nothing but zero.
        public init() {
            self.init(minimum: Scaled(rawValue: 0), maximum: Scaled(rawValue: 0), minimumIncrement: Scaled(rawValue: 0))
        }

        /// Creates a range of speeds.
        ///
        /// - Parameters:
        ///   - minimum: The least speed in kilometres per hour, in steps of 0.01.
        ///   - maximum: The greatest speed in kilometres per hour, in steps of 0.01.
        ///   - minimumIncrement: The step between two speeds in kilometres per hour, in steps of 0.01.
        public init(
            minimum: Scaled<UInt16, Per100>, maximum: Scaled<UInt16, Per100>, minimumIncrement: Scaled<UInt16, Per100>
        ) {
            (self.minimum, self.maximum, self.minimumIncrement) = (minimum, maximum, minimumIncrement)
        }
    }

    /// Inclinations in percent, in 0.1 (Fitness Machine Service 1.0, 4.12).
    public struct SupportedInclinationRange: FitnessMachineRange {
        public static let uuid: BluetoothUUID = "2AD5"
        public static let name = "Supported Inclination Range"
        public static let unit = "%"

        public var minimum: Scaled<Int16, Per10>
        public var maximum: Scaled<Int16, Per10>
        public var minimumIncrement: Scaled<UInt16, Per10>

        /// Nothing but zero.
        public init() {
            self.init(minimum: Scaled(rawValue: 0), maximum: Scaled(rawValue: 0), minimumIncrement: Scaled(rawValue: 0))
        }

        /// Creates a range of inclinations.
        ///
        /// - Parameters:
        ///   - minimum: The least inclination in percent, in steps of 0.1.
        ///   - maximum: The greatest inclination in percent, in steps of 0.1.
        ///   - minimumIncrement: The step between two inclinations in percent, in steps of 0.1.
        public init(
            minimum: Scaled<Int16, Per10>, maximum: Scaled<Int16, Per10>, minimumIncrement: Scaled<UInt16, Per10>
        ) {
            (self.minimum, self.maximum, self.minimumIncrement) = (minimum, maximum, minimumIncrement)
        }
    }

    /// Heart rates in beats per minute (Fitness Machine Service 1.0, 4.15).
    public struct SupportedHeartRateRange: FitnessMachineRange {
        public static let uuid: BluetoothUUID = "2AD7"
        public static let name = "Supported Heart Rate Range"
        public static let unit = "bpm"

        public var minimum: UInt8
        public var maximum: UInt8
        public var minimumIncrement: UInt8

        /// Nothing but zero.
        public init() { self.init(minimum: 0, maximum: 0, minimumIncrement: 0) }

        /// Creates a range of heart rates.
        ///
        /// - Parameters:
        ///   - minimum: The least heart rate in beats per minute.
        ///   - maximum: The greatest heart rate in beats per minute.
        ///   - minimumIncrement: The step between two heart rates in beats per minute.
        public init(minimum: UInt8, maximum: UInt8, minimumIncrement: UInt8) {
            (self.minimum, self.maximum, self.minimumIncrement) = (minimum, maximum, minimumIncrement)
        }
    }

    /// Powers in watts (Fitness Machine Service 1.0, 4.14).
    public struct SupportedPowerRange: FitnessMachineRange {
        public static let uuid: BluetoothUUID = "2AD8"
        public static let name = "Supported Power Range"
        public static let unit = "W"

        public var minimum: Int16
        public var maximum: Int16
        public var minimumIncrement: UInt16

        /// Nothing but zero.
        public init() { self.init(minimum: 0, maximum: 0, minimumIncrement: 0) }

        /// Creates a range of powers.
        ///
        /// - Parameters:
        ///   - minimum: The least power in watts.
        ///   - maximum: The greatest power in watts.
        ///   - minimumIncrement: The step between two powers in watts.
        public init(minimum: Int16, maximum: Int16, minimumIncrement: UInt16) {
            (self.minimum, self.maximum, self.minimumIncrement) = (minimum, maximum, minimumIncrement)
        }
    }
}
