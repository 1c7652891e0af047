// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// Ammonia in kg/m³, a short decimal number (GATT Specification Supplement, Ammonia Concentration).
    public struct AmmoniaConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BCF.
        public static let uuid: BluetoothUUID = "2BCF"
        /// The name of the characteristic.
        public static let name = "Ammonia Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Carbon monoxide in kg/m³, a short decimal number (GATT Specification Supplement, Carbon Monoxide
    /// Concentration).
    public struct CarbonMonoxideConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD0.
        public static let uuid: BluetoothUUID = "2BD0"
        /// The name of the characteristic.
        public static let name = "Carbon Monoxide Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Methane in parts per billion, a short decimal number (GATT Specification Supplement, Methane Concentration).
    public struct MethaneConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD1.
        public static let uuid: BluetoothUUID = "2BD1"
        /// The name of the characteristic.
        public static let name = "Methane Concentration"
        /// The unit of the value is parts per billion.
        public static let unit = "ppb"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Nitrogen dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Nitrogen Dioxide
    /// Concentration).
    public struct NitrogenDioxideConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD2.
        public static let uuid: BluetoothUUID = "2BD2"
        /// The name of the characteristic.
        public static let name = "Nitrogen Dioxide Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Volatile organic compounds without methane in kg/m³, a short decimal number (GATT Specification Supplement,
    /// Non-Methane Volatile Organic Compounds Concentration).
    public struct NonMethaneVOCConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD3.
        public static let uuid: BluetoothUUID = "2BD3"
        /// The name of the characteristic.
        public static let name = "Non-Methane Volatile Organic Compounds Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Ozone in kg/m³, a short decimal number (GATT Specification Supplement, Ozone Concentration).
    public struct OzoneConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD4.
        public static let uuid: BluetoothUUID = "2BD4"
        /// The name of the characteristic.
        public static let name = "Ozone Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur dioxide in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Dioxide Concentration).
    public struct SulfurDioxideConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD8.
        public static let uuid: BluetoothUUID = "2BD8"
        /// The name of the characteristic.
        public static let name = "Sulfur Dioxide Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Sulfur hexafluoride in kg/m³, a short decimal number (GATT Specification Supplement, Sulfur Hexafluoride
    /// Concentration).
    public struct SulfurHexafluorideConcentration: MedicalFloatValue {
        /// The UUID that is assigned to the attribute: 2BD9.
        public static let uuid: BluetoothUUID = "2BD9"
        /// The name of the characteristic.
        public static let name = "Sulfur Hexafluoride Concentration"
        /// The unit of the value is kilograms per cubic metre.
        public static let unit = "kg/m³"

        /// The number as it is sent.
        public let rawValue: SFloat

        /// Creates a concentration from the number as it is sent.
        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }
}
