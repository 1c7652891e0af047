// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The temperature in 0.01 °C (GATT Specification Supplement, Temperature).
    public struct Temperature: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A6E"
        public static let name = "Temperature"
        public static let unit = "°C"
        /// The allowed range starts at absolute zero.
        public static let range: ClosedRange<Double>? = -273.15...327.67
        /// 8000 says that the temperature is not known.
        public static let unknownRawValue: Int16? = .min

        public let rawValue: Int16

        public init(rawValue: Int16) { self.rawValue = rawValue }
    }

    /// The temperature at which dew falls, in 1 °C (GATT Specification Supplement, Dew Point).
    public struct DewPoint: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2A7B"
        public static let name = "Dew Point"
        public static let unit = "°C"

        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }
    }

    /// The temperature that the air seems to have, for its humidity, in 1 °C (GATT Specification Supplement, Heat
    /// Index).
    public struct HeatIndex: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2A7A"
        public static let name = "Heat Index"
        public static let unit = "°C"

        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }
    }

    /// The temperature that the air seems to have, for its wind, in 1 °C (GATT Specification Supplement, Wind Chill).
    public struct WindChill: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2A79"
        public static let name = "Wind Chill"
        public static let unit = "°C"

        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }
    }
}
