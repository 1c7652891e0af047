// SPDX-License-Identifier: MIT

public import BlueCapRuntime
public import BlueCapSerDe

extension CharacteristicProfileProtocol {
    /// The characteristics with the profile's UUID, as a central discovers them: those of its present connections
    /// first.
    ///
    /// This is the place for what is to be done whenever such a characteristic is found, as to switch a sensor on:
    ///
    /// ```swift
    /// for await characteristic in await profile.afterDiscovered(by: central) {
    ///     try await characteristic.write(stringValue: ["Accelerometer Enabled": "Yes"])
    /// }
    /// ```
    ///
    /// The profile need not be among those of the central. See
    /// ``CentralManager/discoveredCharacteristics(withUUID:in:capacity:)``.
    ///
    /// - Parameters:
    ///   - central: The manager that discovers them.
    ///   - service: The UUID of the service that has them; nil for any.
    ///   - capacity: How many are kept for a slow loop.
    public func afterDiscovered(
        by central: CentralManager, in service: BluetoothUUID? = nil, capacity: StreamCapacity = .newest(1024)
    ) async -> AsyncStream<Characteristic> {
        await central.discoveredCharacteristics(withUUID: uuid, in: service, capacity: capacity)
    }
}
