// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension CentralManager {
    /// The old name of ``states()``.
    @available(*, unavailable, renamed: "states()")
    public nonisolated func whenStateChanges() {}

    /// The old name of ``scan(for:options:timeout:capacity:)``.
    @available(*, unavailable, renamed: "scan(for:options:timeout:capacity:)")
    public nonisolated func startScanning(capacity: Int = .max, timeout: Double = .infinity) {}

    /// The old name of ``scan(for:options:timeout:capacity:)``.
    @available(*, unavailable, renamed: "scan(for:options:timeout:capacity:)")
    public nonisolated func startScanning(
        forServiceUUIDs services: [BluetoothUUID], capacity: Int = .max, timeout: Double = .infinity
    ) {}

    /// A scan ends when its loop is left.
    @available(*, unavailable, message: "leave the loop over scan(for:options:timeout:capacity:)")
    public nonisolated func stopScanning() {}
}
