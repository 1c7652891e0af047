// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension EnvironmentalSensingService {
    /// Dust of at most 1 µm in kg/m³, a short decimal number (GATT Specification Supplement, Particulate Matter - PM1
    /// Concentration).
    public struct PM1Concentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD5"
        public static let name = "Particulate Matter - PM1 Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Dust of at most 2.5 µm in kg/m³, a short decimal number (GATT Specification Supplement, Particulate Matter -
    /// PM2.5 Concentration).
    public struct PM25Concentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD6"
        public static let name = "Particulate Matter - PM2.5 Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Dust of at most 10 µm in kg/m³, a short decimal number (GATT Specification Supplement, Particulate Matter -
    /// PM10 Concentration).
    public struct PM10Concentration: MedicalFloatValue {
        public static let uuid: BluetoothUUID = "2BD7"
        public static let name = "Particulate Matter - PM10 Concentration"
        public static let unit = "kg/m³"

        public let rawValue: SFloat

        public init(rawValue: SFloat) { self.rawValue = rawValue }
    }

    /// Grains of pollen per cubic metre (GATT Specification Supplement, Pollen Concentration).
    public struct PollenConcentration: ScaledValue {
        public typealias Step = Per1
        public static let uuid: BluetoothUUID = "2A75"
        public static let name = "Pollen Concentration"
        public static let unit = "1/m³"

        public let rawValue: UInt24

        public init(rawValue: UInt24) { self.rawValue = rawValue }
    }
}
