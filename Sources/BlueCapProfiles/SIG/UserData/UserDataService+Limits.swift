// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The lowest heart rate at which fat is burned in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Fat Burn Heart Rate Lower Limit).
    public struct FatBurnHeartRateLowerLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A88"
        public static let name = "Fat Burn Heart Rate Lower Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest heart rate at which fat is burned in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Fat Burn Heart Rate Upper Limit).
    public struct FatBurnHeartRateUpperLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A89"
        public static let name = "Fat Burn Heart Rate Upper Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The lowest aerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Aerobic Heart Rate Lower Limit).
    public struct AerobicHeartRateLowerLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A7E"
        public static let name = "Aerobic Heart Rate Lower Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest aerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Aerobic Heart Rate Upper Limit).
    public struct AerobicHeartRateUpperLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A84"
        public static let name = "Aerobic Heart Rate Upper Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The lowest anaerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Anaerobic Heart Rate Lower Limit).
    public struct AnaerobicHeartRateLowerLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A81"
        public static let name = "Anaerobic Heart Rate Lower Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest anaerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Anaerobic Heart Rate Upper Limit).
    public struct AnaerobicHeartRateUpperLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A82"
        public static let name = "Anaerobic Heart Rate Upper Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
