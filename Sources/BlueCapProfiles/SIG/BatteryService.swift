// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Battery Service of the Bluetooth SIG.
public enum BatteryService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "180F"
    public static let name = "Battery"
    public static let tag = BluetoothSIG.tag

    /// The level of the battery: one byte, 0 through 100 percent; the other values are reserved (GATT Specification
    /// Supplement, Battery Level).
    public struct Level: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable, Comparable {
        public static let uuid: BluetoothUUID = "2A19"
        public static let name = "Battery Level"
        public static var units: [String: String] { [name: "%"] }
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let initialValue: Bytes? = [100]

        /// The level in percent, 0 through 100.
        public let rawValue: UInt8

        /// Creates a level from percent; nil above 100.
        public init?(rawValue: UInt8) {
            guard rawValue <= 100 else { return nil }
            self.rawValue = rawValue
        }

        /// The level in percent, 0 through 100.
        public var percent: Int { Int(rawValue) }

        /// The percentage, under the characteristic's name.
        public var stringValue: [String: String] { [Self.name: "\(rawValue)"] }

        /// Creates a level from the percentage that stands under the characteristic's name; nil when it is missing or
        /// above 100.
        public init?(stringValue: [String: String]) {
            guard let raw = stringValue[Self.name].flatMap(UInt8.init) else { return nil }
            self.init(rawValue: raw)
        }

        /// Returns whether the left value is emptier than the right one.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
}
