// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Tx Power Service of the Bluetooth SIG: how strongly the device sends on this link (Tx Power Service 1.0).
public enum TxPowerService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1804"
    public static let name = "Tx Power"
    public static let tag = BluetoothSIG.tag

    /// The power in dBm: one signed byte, −100 through 20; the other values are reserved and refused (Tx Power Service
    /// 1.0, 3.1; GATT Specification Supplement, Tx Power Level).
    public struct Level: PlainValue, Hashable, Comparable {
        public static let uuid: BluetoothUUID = "2A07"
        public static let name = "Tx Power Level"
        public static var units: [String: String] { [name: "dBm"] }
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [0xd8]

        /// dBm, −100 through 20.
        public let rawValue: Int8

        /// Creates a level from dBm; nil outside −100 through 20.
        public init?(rawValue: Int8) {
            guard (-100...20).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        /// Returns whether the left value is weaker than the right one.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
}
