// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension PeripheralManager {
    /// The old name of ``states()``.
    @available(*, unavailable, renamed: "states()")
    public nonisolated func whenStateChanges() {}

    /// The UUIDs are an argument of ``startAdvertising(_:serviceUUIDs:timeout:)``.
    ///
    /// - Parameters:
    ///   - name: The local name that centrals see.
    ///   - uuids: The services that centrals may scan for.
    @available(*, unavailable, message: "call startAdvertising(_:serviceUUIDs:timeout:)")
    public nonisolated func startAdvertising(_ name: String, uuids: [BluetoothUUID]) {}
}
