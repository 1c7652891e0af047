// SPDX-License-Identifier: MIT

import BlueCapProfiles
public import BlueCapSerDe

extension TISensorTag {
    /// The names and values of the SensorTag's Device Information service (180A) when a peripheral offers it.
    ///
    /// A central reads the service of any device with the Bluetooth SIG's own `DeviceInformationService` of
    /// BlueCapProfiles.
    public enum DeviceInformationService: ServiceConfigurable {
        public static let uuid: BluetoothUUID = "180A"
        public static let name = "Device Information"
        public static let tag = BluetoothSIG.tag
    }
}

extension TISensorTag.DeviceInformationService {
    /// The model: text in UTF-8.
    public enum ModelNumber: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A24"
        public static let name = "Device Model Number"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("Model A".utf8)
    }

    /// The serial number: text in UTF-8.
    public enum SerialNumber: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A25"
        public static let name = "Device Serial Number"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("AAA11".utf8)
    }

    /// The revision of the firmware: text in UTF-8.
    public enum FirmwareRevision: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A26"
        public static let name = "Device Firmware Revision"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The revision of the hardware: text in UTF-8.
    public enum HardwareRevision: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A27"
        public static let name = "Device Hardware Revision"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The revision of the software: text in UTF-8.
    public enum SoftwareRevision: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A28"
        public static let name = "Device Software Revision"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("1.0".utf8)
    }

    /// The manufacturer: text in UTF-8.
    public enum ManufacturerName: CharacteristicConfigurable {
        public static let uuid: BluetoothUUID = "2A29"
        public static let name = "Device Manufacturer Name"
        public static let properties: CharacteristicProperties = [.read]
        public static let initialValue: Bytes? = Bytes("gnos.us".utf8)
    }
}
