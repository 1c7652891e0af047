// SPDX-License-Identifier: MIT

public import BlueCapRuntime
public import BlueCapSerDe

extension CharacteristicProfileProtocol {
    /// Returns the characteristics with the profile's UUID, as a central discovers them.
    ///
    /// Characteristics of its present connections come first.
    ///
    /// Use it for work that has to be done whenever such a characteristic is found, such as switching a sensor on:
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
    ///   - central: The manager that discovers the characteristics.
    ///   - service: The UUID of the service that has the characteristics; nil for any.
    ///   - capacity: The number of characteristics that are kept for a slow loop.
    public func afterDiscovered(
        by central: CentralManager, in service: BluetoothUUID? = nil, capacity: StreamCapacity = .newest(1024)
    ) async -> AsyncStream<Characteristic> {
        await central.discoveredCharacteristics(withUUID: uuid, in: service, capacity: capacity)
    }
}
