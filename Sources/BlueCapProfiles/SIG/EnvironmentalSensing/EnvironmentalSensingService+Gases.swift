// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// Ammonia in kg/m³, a short decimal number (GATT Specification Supplement, Ammonia Concentration).
    public struct AmmoniaConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BCF"
        public static let name = "Ammonia Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Carbon monoxide in kg/m³, a short decimal number (GATT Specification Supplement, Carbon Monoxide
    /// Concentration).
    public struct CarbonMonoxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD0"
        public static let name = "Carbon Monoxide Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Methane in parts per billion, a short decimal number (GATT Specification Supplement, Methane Concentration).
    public struct MethaneConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD1"
        public static let name = "Methane Concentration"
        public static let unit = "ppb"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Nitrogen dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Nitrogen Dioxide
    /// Concentration).
    public struct NitrogenDioxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD2"
        public static let name = "Nitrogen Dioxide Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Volatile organic compounds without methane in kg/m³, a short decimal number (GATT Specification Supplement,
    /// Non-Methane Volatile Organic Compounds Concentration).
    public struct NonMethaneVOCConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD3"
        public static let name = "Non-Methane Volatile Organic Compounds Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Ozone in kg/m³, a short decimal number (GATT Specification Supplement, Ozone Concentration).
    public struct OzoneConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD4"
        public static let name = "Ozone Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Dioxide Concentration).
    public struct SulfurDioxideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD8"
        public static let name = "Sulfur Dioxide Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur hexafluoride in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Hexafluoride
    /// Concentration).
    public struct SulfurHexafluorideConcentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD9"
        public static let name = "Sulfur Hexafluoride Concentration"
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }
}
