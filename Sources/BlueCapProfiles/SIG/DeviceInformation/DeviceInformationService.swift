// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Device Information Service of the Bluetooth SIG: who made the device, and which one it is (Device Information
/// Service 1.2).
public enum DeviceInformationService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "180A"
    public static let name = "Device Information"
    public static let tag = BluetoothSIG.tag
}

// Six texts in UTF-8 that differ in what they name only.

extension DeviceInformationService {
    /// The name of the manufacturer: text in UTF-8 (Device Information Service 1.2, 3.1; GATT Specification Supplement,
    /// Manufacturer Name String).
    public struct ManufacturerName: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A29"
        public static let name = "Manufacturer Name String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The model of the device: text in UTF-8 (Device Information Service 1.2, 3.2; GATT Specification Supplement,
    /// Model Number String).
    public struct ModelNumber: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A24"
        public static let name = "Model Number String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The serial number of the device: text in UTF-8 (Device Information Service 1.2, 3.3; GATT Specification
    /// Supplement, Serial Number String).
    public struct SerialNumber: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A25"
        public static let name = "Serial Number String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the hardware: text in UTF-8 (Device Information Service 1.2, 3.4; GATT Specification Supplement,
    /// Hardware Revision String).
    public struct HardwareRevision: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A27"
        public static let name = "Hardware Revision String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the firmware: text in UTF-8 (Device Information Service 1.2, 3.5; GATT Specification Supplement,
    /// Firmware Revision String).
    public struct FirmwareRevision: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A26"
        public static let name = "Firmware Revision String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The revision of the software: text in UTF-8 (Device Information Service 1.2, 3.6; GATT Specification Supplement,
    /// Software Revision String).
    public struct SoftwareRevision: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A28"
        public static let name = "Software Revision String"
        public static let properties: CharacteristicProperties = [.read]
        public static let permissions: AttributePermissions = [.readable]

        /// The text as it is sent; some devices end it with a zero.
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
