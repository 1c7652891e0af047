public import BlueCapSerDe

/// The Battery Service of the Bluetooth SIG.
public enum Battery {
    /// 180F.
    public static let uuid: BluetoothUUID = "180F"
    /// The name of the service.
    public static let name = "Battery"

    /// How full the battery is: one byte, 0 through 100 percent; the other values are reserved (GATT Specification
    /// Supplement, Battery Level).
    public struct Level: RawDeserializable, Hashable, Comparable {
        /// 2A19.
        public static let uuid: BluetoothUUID = "2A19"
        /// The name of the characteristic.
        public static let name = "Battery Level"
        /// The value that a peripheral offers first: 100 percent.
        public static let initialValue: Bytes? = [100]

        /// Percent, 0 through 100.
        public let rawValue: UInt8

        /// A level from percent; nil above 100.
        public init?(rawValue: UInt8) {
            guard rawValue <= 100 else { return nil }
            self.rawValue = rawValue
        }

        /// Percent, 0 through 100.
        public var percent: Int { Int(rawValue) }

        /// Emptier than.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
}
