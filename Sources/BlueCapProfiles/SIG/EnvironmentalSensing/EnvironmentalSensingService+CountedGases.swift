// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// Carbon dioxide in parts per million; 65534 stands for that and all above (GATT Specification Supplement, CO₂
    /// Concentration).
    public struct CO2Concentration: ScaledValue {
        /// Steps of 1.
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2B8C"
        public static let name = "CO₂ Concentration"
        public static let unit = "ppm"
        /// FFFF says that the concentration is not known.
        public static let unknownRawValue: UInt16? = 0xffff
        /// 65534 stands for that and all above.
        public static let boundRawValue: UInt16? = 0xfffe

        /// The number as it is sent.
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// Volatile organic compounds in parts per billion; 65534 stands for that and all above (GATT Specification
    /// Supplement, VOC Concentration).
    public struct VOCConcentration: ScaledValue {
        /// Steps of 1.
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2BE7"
        public static let name = "VOC Concentration"
        public static let unit = "ppb"
        /// FFFF says that the concentration is not known.
        public static let unknownRawValue: UInt16? = 0xffff
        /// 65534 stands for that and all above.
        public static let boundRawValue: UInt16? = 0xfffe

        /// The number as it is sent.
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }
}
