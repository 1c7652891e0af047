// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// The relative humidity in 0.01 percent (GATT Specification Supplement, Humidity).
    public struct Humidity: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A6F"
        public static let name = "Humidity"
        public static let unit = "%"
        /// The allowed range is 0 through 100.
        public static let range: ClosedRange<Double>? = 0...100
        /// FFFF says that the humidity is not known.
        public static let unknownRawValue: UInt16? = 0xffff

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The air's pressure in 0.1 Pa (GATT Specification Supplement, Pressure).
    public struct Pressure: ScaledValue {
        public typealias Step = Per10
        public static let uuid: BluetoothUUID = "2A6D"
        public static let name = "Pressure"
        public static let unit = "Pa"

        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// The height of the rain in metres, in steps of 0.001, that is in millimetres (GATT Specification Supplement,
    /// Rainfall).
    public struct Rainfall: ScaledValue {
        public typealias Step = Per1000
        public static let uuid: BluetoothUUID = "2A78"
        public static let name = "Rainfall"
        public static let unit = "m"

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The strength of ultraviolet sunlight for the skin, in 1 (GATT Specification Supplement, UV Index).
    public struct UVIndex: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2A76"
        public static let name = "UV Index"
        public static let unit = ""

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The power of light on a surface, in 0.1 W/m² (GATT Specification Supplement, Irradiance).
    public struct Irradiance: ScaledValue {
        public typealias Step = Per10
        public static let uuid: BluetoothUUID = "2A77"
        public static let name = "Irradiance"
        public static let unit = "W/m²"

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The sound pressure level in 1 dB; 254 stands for that and all above (GATT Specification Supplement, Noise).
    public struct Noise: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2BE4"
        public static let name = "Noise"
        public static let unit = "dB"
        /// FF says that the level is not known.
        public static let unknownRawValue: UInt8? = 0xff
        /// 254 stands for that and all above.
        public static let boundRawValue: UInt8? = 0xfe

        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}

extension EnvironmentalSensingService {
    /// The height above sea level, in 0.01 m (GATT Specification Supplement, Elevation).
    public struct Elevation: ScaledValue {
        public typealias Step = Per100
        public static let uuid: BluetoothUUID = "2A6C"
        public static let name = "Elevation"
        public static let unit = "m"

        public let rawValue: Int24

        public init(rawValue: Int24) { self.rawValue = rawValue }
    }
}
