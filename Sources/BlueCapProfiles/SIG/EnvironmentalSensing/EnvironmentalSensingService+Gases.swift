// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// Ammonia in kg/m³, a short decimal number (GATT Specification Supplement, Ammonia Concentration).
    public struct AmmoniaConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BCF"
        public static let name = "Ammonia Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Carbon monoxide in kg/m³, a short decimal number (GATT Specification Supplement, Carbon Monoxide
    /// Concentration).
    public struct CarbonMonoxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD0"
        public static let name = "Carbon Monoxide Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Methane in parts per billion, a short decimal number (GATT Specification Supplement, Methane Concentration).
    public struct MethaneConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD1"
        public static let name = "Methane Concentration"
        public static let unit = "ppb"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Nitrogen dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Nitrogen Dioxide
    /// Concentration).
    public struct NitrogenDioxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD2"
        public static let name = "Nitrogen Dioxide Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Volatile organic compounds without methane in kg/m³, a short decimal number (GATT Specification Supplement,
    /// Non-Methane Volatile Organic Compounds Concentration).
    public struct NonMethaneVOCConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD3"
        public static let name = "Non-Methane Volatile Organic Compounds Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Ozone in kg/m³, a short decimal number (GATT Specification Supplement, Ozone Concentration).
    public struct OzoneConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD4"
        public static let name = "Ozone Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Dioxide Concentration).
    public struct SulfurDioxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD8"
        public static let name = "Sulfur Dioxide Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur hexafluoride in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Hexafluoride
    /// Concentration).
    public struct SulfurHexafluorideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD9"
        public static let name = "Sulfur Hexafluoride Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }
}

extension EnvironmentalSensingService {
    /// Carbon dioxide in parts per million; 65534 stands for that and all above (GATT Specification Supplement, CO₂
    /// Concentration).
    public struct CO2Concentration: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2B8C"
        public static let name = "CO₂ Concentration"
        public static let unit = "ppm"
        /// FFFF says that the concentration is not known.
        public static let unknownRawValue: UInt16? = 0xffff
        /// 65534 stands for that and all above.
        public static let boundRawValue: UInt16? = 0xfffe

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// Volatile organic compounds in parts per billion; 65534 stands for that and all above (GATT Specification
    /// Supplement, VOC Concentration).
    public struct VOCConcentration: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2BE7"
        public static let name = "VOC Concentration"
        public static let unit = "ppb"
        /// FFFF says that the concentration is not known.
        public static let unknownRawValue: UInt16? = 0xffff
        /// 65534 stands for that and all above.
        public static let boundRawValue: UInt16? = 0xfffe

        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }
}
