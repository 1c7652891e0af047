// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The User Data Service of the Bluetooth SIG: what a device knows of the people who use it (User Data Service 1.0).
public enum UserDataService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "181C"
    public static let name = "User Data"
    public static let tag = BluetoothSIG.tag
}

extension UserDataService {
    /// The number of changes of the user's data, which the device or app that changes the data increments: four bytes,
    /// little-endian (User Data Service 1.0, 3.2; GATT Specification Supplement, Database Change Increment).
    public struct DatabaseChangeIncrement: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A99"
        public static let name = "Database Change Increment"
        public static let properties: CharacteristicProperties = [.read, .write, .notify]
        public static let initialValue: Bytes? = [0, 0, 0, 0]

        /// The number of changes of the data.
        public var rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// The index of the user whose data is accessible: one byte; 255 for an unknown user (User Data Service 1.0, 3.3;
    /// GATT Specification Supplement, User Index).
    public struct UserIndex: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A9A"
        public static let name = "User Index"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]
        public static let initialValue: Bytes? = [255]

        /// The user, from 0; 255 for none.
        public var rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// An unknown user.
        public static let unknown = Self(rawValue: 255)

        /// The index, or "unknown", under the characteristic's name.
        public var stringValue: [String: String] {
            [Self.name: UnknownText.text(of: rawValue, unknown: 255) { $0.description }]
        }

        #if !hasFeature(Embedded)
        /// The index, which an unknown user does not have.
        public var textParts: [TextPart] { [TextPart(Self.name, number: stringValue[Self.name])] }
        #endif

        /// Creates the value from the index, or "unknown", that stands under the characteristic's name; nil when it is
        /// missing or neither.
        public init?(stringValue: [String: String]) {
            let raw = stringValue[Self.name].flatMap { UnknownText.number(from: $0, unknown: 255) { UInt8($0) } }
            guard let raw else { return nil }
            self.init(rawValue: raw)
        }
    }
}
