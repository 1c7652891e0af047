// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PeripheralAdvertisements {
    /// The service data of a type, decoded as a characteristic's value is: the type names the UUID of the service.
    ///
    /// ```swift
    /// if let frame = try discovery.advertisements.serviceValue(BTHome.self) { print(frame.measurements) }
    /// ```
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value; nil where no data of that service is advertised.
    /// - Throws: `SerDeError` where the data is no value of the type.
    public func serviceValue<Value: CharacteristicValue>(_ type: Value.Type) throws(SerDeError) -> Value? {
        guard let data = serviceData[Value.uuid] else { return nil }
        return try SerDe.deserialize(data)
    }
}
