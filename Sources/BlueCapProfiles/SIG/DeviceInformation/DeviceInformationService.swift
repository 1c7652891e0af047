// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Device Information Service of the Bluetooth SIG: who made the device, and which one it is (Device Information
/// Service 1.2).
public enum DeviceInformationService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "180A"
    public static let name = "Device Information"
    public static let tag = BluetoothSIG.tag
}
