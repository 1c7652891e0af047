// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Cycling Power Service of the Bluetooth SIG: the power, force and torque of a cyclist (Cycling Power Service
/// 1.1).
public enum CyclingPowerService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1818"
    public static let name = "Cycling Power"
    public static let tag = BluetoothSIG.tag

    /// The location of the sensor (Cycling Power Service 1.1, 3).
    public typealias SensorLocation = BlueCapProfiles.SensorLocation
}
