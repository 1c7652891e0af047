// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The age in years: one byte (User Data Service 1.0, 3.1; GATT Specification Supplement, Age).
    public struct Age: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A80"
        public static let name = "Age"
        public static var units: [String: String] { [name: "years"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The age in years.
        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The weight in kilograms, in steps of 0.005: two bytes, little-endian (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Weight).
    public struct Weight: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A98"
        public static let name = "Weight"
        public static var units: [String: String] { [name: "kg"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The weight in kilograms.
        public var rawValue: Scaled<UInt16, Per200>

        public init(rawValue: Scaled<UInt16, Per200>) { self.rawValue = rawValue }
    }

    /// The height in metres, in steps of 0.01: two bytes, little-endian (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Height).
    public struct Height: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A8E"
        public static let name = "Height"
        public static var units: [String: String] { [name: "m"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: Scaled<UInt16, Per100>

        public init(rawValue: Scaled<UInt16, Per100>) { self.rawValue = rawValue }
    }

    /// The waist in metres, in steps of 0.01: two bytes, little-endian (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Waist Circumference).
    public struct WaistCircumference: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A97"
        public static let name = "Waist Circumference"
        public static var units: [String: String] { [name: "m"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: Scaled<UInt16, Per100>

        public init(rawValue: Scaled<UInt16, Per100>) { self.rawValue = rawValue }
    }

    /// The hips in metres, in steps of 0.01: two bytes, little-endian (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Hip Circumference).
    public struct HipCircumference: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A8F"
        public static let name = "Hip Circumference"
        public static var units: [String: String] { [name: "m"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: Scaled<UInt16, Per100>

        public init(rawValue: Scaled<UInt16, Per100>) { self.rawValue = rawValue }
    }

    /// The greatest uptake of oxygen in millilitres per kilogram and minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, VO2 Max).
    public struct VO2Max: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A96"
        public static let name = "VO2 Max"
        public static var units: [String: String] { [name: "mL/kg/min"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        /// Millilitres per kilogram and minute.
        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
