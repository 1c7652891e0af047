// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The lowest heart rate at which fat is burned in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Fat Burn Heart Rate Lower Limit).
    public struct FatBurnHeartRateLowerLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A88.
        public static let uuid: BluetoothUUID = "2A88"
        /// The name of the characteristic.
        public static let name = "Fat Burn Heart Rate Lower Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest heart rate at which fat is burned in beats per minute: one byte (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Fat Burn Heart Rate Upper Limit).
    public struct FatBurnHeartRateUpperLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A89.
        public static let uuid: BluetoothUUID = "2A89"
        /// The name of the characteristic.
        public static let name = "Fat Burn Heart Rate Upper Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The lowest aerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Aerobic Heart Rate Lower Limit).
    public struct AerobicHeartRateLowerLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A7E.
        public static let uuid: BluetoothUUID = "2A7E"
        /// The name of the characteristic.
        public static let name = "Aerobic Heart Rate Lower Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest aerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Aerobic Heart Rate Upper Limit).
    public struct AerobicHeartRateUpperLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A84.
        public static let uuid: BluetoothUUID = "2A84"
        /// The name of the characteristic.
        public static let name = "Aerobic Heart Rate Upper Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The lowest anaerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Anaerobic Heart Rate Lower Limit).
    public struct AnaerobicHeartRateLowerLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A81.
        public static let uuid: BluetoothUUID = "2A81"
        /// The name of the characteristic.
        public static let name = "Anaerobic Heart Rate Lower Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The greatest anaerobic heart rate in beats per minute: one byte (User Data Service 1.0, 3.1; GATT Specification
    /// Supplement, Anaerobic Heart Rate Upper Limit).
    public struct AnaerobicHeartRateUpperLimit: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A82.
        public static let uuid: BluetoothUUID = "2A82"
        /// The name of the characteristic.
        public static let name = "Anaerobic Heart Rate Upper Limit"
        /// The unit of the number, under the characteristic's name: bpm.
        public static var units: [String: String] { [name: "bpm"] }
        /// A central may read and write the value.
        public static let properties: CharacteristicProperties = [.read, .write]

        /// The heart rate in beats per minute.
        public var rawValue: UInt8

        /// Creates a value from the number as it is sent.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }
}
