// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PeripheralAdvertisements {
    /// Returns the service data of a type, decoded in the same way as a characteristic's value.
    ///
    /// The type names the UUID of the service.
    ///
    /// ```swift
    /// if let frame = try discovery.advertisements.serviceValue(BTHome.self) { print(frame.measurements) }
    /// ```
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value; nil if no data of that service is advertised.
    /// - Throws: `SerDeError` if the data is not a value of the type.
    public func serviceValue<Value: CharacteristicValue>(_ type: Value.Type) throws(SerDeError) -> Value? {
        try serviceValue(type, of: Value.uuid)
    }

    /// Returns the service data of a service, decoded as a value of a type.
    ///
    /// The value of a broadcast characteristic has the UUID of its service, not its own (Core Specification, Vol 3,
    /// Part G, 3.3.3.4). An example is the measurement of a cycling power sensor:
    ///
    /// ```swift
    /// let measurement = try discovery.advertisements.serviceValue(
    ///     CyclingPowerService.Measurement.self, of: CyclingPowerService.uuid)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - service: The UUID of the service that defines the data.
    /// - Returns: The value; nil if no data of that service is advertised.
    /// - Throws: `SerDeError` if the data is not a value of the type.
    public func serviceValue<Value: ByteDecodable>(
        _ type: Value.Type, of service: BluetoothUUID
    ) throws(SerDeError) -> Value? {
        guard let data = serviceData[service] else { return nil }
        return try SerDe.deserialize(data)
    }
}
