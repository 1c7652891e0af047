// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of CoreBluetooth, kept so that the compiler reports the names here.
extension CentralManager {
    /// CoreBluetooth's name for ``scan(for:options:timeout:capacity:)``.
    @available(*, unavailable, renamed: "scan(for:options:timeout:capacity:)")
    public nonisolated func scanForPeripherals(
        withServices services: [BluetoothUUID]?, options: [String: Any]? = nil
    ) {}

    /// A scan ends when its loop is left.
    @available(*, unavailable, message: "leave the loop over scan(for:options:timeout:capacity:)")
    public nonisolated func stopScan() {}

    /// CoreBluetooth's name for ``Peripheral/connect(timeout:)``.
    @available(*, unavailable, message: "call peripheral.connect(timeout:), which returns when it is connected")
    public nonisolated func connect(_ peripheral: Peripheral, options: [String: Any]? = nil) {}

    /// CoreBluetooth's name for ``Peripheral/disconnect(timeout:)``.
    @available(*, unavailable, message: "call peripheral.disconnect(timeout:)")
    public nonisolated func cancelPeripheralConnection(_ peripheral: Peripheral) {}
}
