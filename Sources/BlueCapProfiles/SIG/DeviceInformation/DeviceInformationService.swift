// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Device Information Service of the Bluetooth SIG: who made the device, and which one it is (Device Information
/// Service 1.2).
public enum DeviceInformationService: ServiceConfigurable {
    /// The UUID that is assigned to the service: 180A.
    public static let uuid: BluetoothUUID = "180A"
    /// The name of the service.
    public static let name = "Device Information"
    /// The tag of the Bluetooth SIG's services.
    public static let tag = BluetoothSIG.tag
}
