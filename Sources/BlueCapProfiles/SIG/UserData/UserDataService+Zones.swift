// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension UserDataService {
    /// The heart rate between the zones of fat burning and fitness in beats per minute: one byte (User Data Service
    /// 1.0, 3.1; GATT Specification Supplement, Two Zone Heart Rate Limit).
    public struct TwoZoneHeartRateLimit: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A95"
        public static let name = "Two Zone Heart Rate Limit"
        public static var units: [String: String] { [name: "bpm"] }
        public static let properties: CharacteristicProperties = [.read, .write]

        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// The heart rates between three zones, in beats per minute: two bytes (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Three Zone Heart Rate Limits).
    public struct ThreeZoneHeartRateLimits: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A94"
        public static let name = "Three Zone Heart Rate Limits"
        public static let properties: CharacteristicProperties = [.read, .write]

        /// Between light (fat burning) and moderate (aerobic) exercise.
        public var lightToModerate: UInt8 = 0
        /// Between moderate (aerobic) and hard (anaerobic) exercise.
        public var moderateToHard: UInt8 = 0

        /// Creates a value of zeros.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("lightToModerate", unit: "bpm", \.lightToModerate),
            TextField("moderateToHard", unit: "bpm", \.moderateToHard),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            lightToModerate = try reader.read()
            moderateToHard = try reader.read()
        }

        public var encodedByteCount: Int { 2 }

        public func encode(into output: inout OutputRawSpan) { output.write(fields: lightToModerate, moderateToHard) }
    }

    /// The heart rates between five zones, in beats per minute: four bytes (User Data Service 1.0, 3.1; GATT
    /// Specification Supplement, Five Zone Heart Rate Limits).
    public struct FiveZoneHeartRateLimits: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding, Hashable {
        public static let uuid: BluetoothUUID = "2A8B"
        public static let name = "Five Zone Heart Rate Limits"
        public static let properties: CharacteristicProperties = [.read, .write]

        /// Between very light and light exercise.
        public var veryLightToLight: UInt8 = 0
        /// Between light and moderate exercise.
        public var lightToModerate: UInt8 = 0
        /// Between moderate and hard exercise.
        public var moderateToHard: UInt8 = 0
        /// Between hard and maximal exercise.
        public var hardToMaximum: UInt8 = 0

        /// Creates a value of zeros.
        public init() {}

        #if !hasFeature(Embedded)
        public static let textFields: [TextField<Self>] = [
            TextField("veryLightToLight", unit: "bpm", \.veryLightToLight),
            TextField("lightToModerate", unit: "bpm", \.lightToModerate),
            TextField("moderateToHard", unit: "bpm", \.moderateToHard),
            TextField("hardToMaximum", unit: "bpm", \.hardToMaximum),
        ]
        #endif

        public init(from reader: inout ByteReader) throws(SerDeError) {
            veryLightToLight = try reader.read()
            lightToModerate = try reader.read()
            moderateToHard = try reader.read()
            hardToMaximum = try reader.read()
        }

        public var encodedByteCount: Int { 4 }

        public func encode(into output: inout OutputRawSpan) {
            output.write(fields: veryLightToLight, lightToModerate, moderateToHard, hardToMaximum)
        }
    }
}
