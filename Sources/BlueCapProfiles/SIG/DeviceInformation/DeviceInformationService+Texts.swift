// SPDX-License-Identifier: MIT

public import BlueCapSerDe

// Six texts in UTF-8 that differ in what they name only.

extension DeviceInformationService {
    /// The name of the manufacturer: text in UTF-8 (Device Information Service 1.2, 3.1; GATT Specification Supplement,
    /// Manufacturer Name String).
    public struct ManufacturerName: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A29.
        public static let uuid: BluetoothUUID = "2A29"
        /// The name of the characteristic.
        public static let name = "Manufacturer Name String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The model of the device: text in UTF-8 (Device Information Service 1.2, 3.2; GATT Specification Supplement,
    /// Model Number String).
    public struct ModelNumber: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A24.
        public static let uuid: BluetoothUUID = "2A24"
        /// The name of the characteristic.
        public static let name = "Model Number String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The serial number of the device: text in UTF-8 (Device Information Service 1.2, 3.3; GATT Specification
    /// Supplement, Serial Number String).
    public struct SerialNumber: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A25.
        public static let uuid: BluetoothUUID = "2A25"
        /// The name of the characteristic.
        public static let name = "Serial Number String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the hardware: text in UTF-8 (Device Information Service 1.2, 3.4; GATT Specification Supplement,
    /// Hardware Revision String).
    public struct HardwareRevision: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A27.
        public static let uuid: BluetoothUUID = "2A27"
        /// The name of the characteristic.
        public static let name = "Hardware Revision String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the firmware: text in UTF-8 (Device Information Service 1.2, 3.5; GATT Specification Supplement,
    /// Firmware Revision String).
    public struct FirmwareRevision: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A26.
        public static let uuid: BluetoothUUID = "2A26"
        /// The name of the characteristic.
        public static let name = "Firmware Revision String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the software: text in UTF-8 (Device Information Service 1.2, 3.6; GATT Specification Supplement,
    /// Software Revision String).
    public struct SoftwareRevision: PlainValue, Hashable {
        /// The UUID that is assigned to the attribute: 2A28.
        public static let uuid: BluetoothUUID = "2A28"
        /// The name of the characteristic.
        public static let name = "Software Revision String"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// Any central may read the value.
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        /// Creates a value from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
