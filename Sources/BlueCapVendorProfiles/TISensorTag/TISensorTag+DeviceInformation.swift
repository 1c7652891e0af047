// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension TISensorTag {
    /// The names and values of the SensorTag's Device Information service (180A) when a peripheral offers it.
    ///
    /// A central reads the service of any device with the Bluetooth SIG's own `DeviceInformationService` of
    /// BlueCapProfiles.
    public enum DeviceInformationService: ServiceConfigurable {
        /// The UUID of the service: 180A.
        public static let uuid: BluetoothUUID = "180A"
        /// The name of the service.
        public static let name = "Device Information"
        /// The tag of the Bluetooth SIG's services.
        public static let tag = BluetoothSIG.tag
    }
}

extension TISensorTag.DeviceInformationService {
    /// The model: text in UTF-8.
    public enum ModelNumber: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A24.
        public static let uuid: BluetoothUUID = "2A24"
        /// The name of the characteristic.
        public static let name = "Device Model Number"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("Model A".utf8)
    }

    /// The serial number: text in UTF-8.
    public enum SerialNumber: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A25.
        public static let uuid: BluetoothUUID = "2A25"
        /// The name of the characteristic.
        public static let name = "Device Serial Number"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("AAA11".utf8)
    }

    /// The revision of the firmware: text in UTF-8.
    public enum FirmwareRevision: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A26.
        public static let uuid: BluetoothUUID = "2A26"
        /// The name of the characteristic.
        public static let name = "Device Firmware Revision"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The revision of the hardware: text in UTF-8.
    public enum HardwareRevision: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A27.
        public static let uuid: BluetoothUUID = "2A27"
        /// The name of the characteristic.
        public static let name = "Device Hardware Revision"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The revision of the software: text in UTF-8.
    public enum SoftwareRevision: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A28.
        public static let uuid: BluetoothUUID = "2A28"
        /// The name of the characteristic.
        public static let name = "Device Software Revision"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The manufacturer: text in UTF-8.
    public enum ManufacturerName: CharacteristicConfigurable {
        /// The UUID of the characteristic: 2A29.
        public static let uuid: BluetoothUUID = "2A29"
        /// The name of the characteristic.
        public static let name = "Device Manufacturer Name"
        /// A central may read the value.
        public static let properties: CharacteristicProperties = [.read]
        /// The value that a peripheral offers first.
        public static let initialValue: Bytes? = Bytes("gnos.us".utf8)
    }
}
