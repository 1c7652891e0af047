// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Advertisement {
    /// Sets the service data of a service to a value, encoded in the same way as a characteristic's value.
    ///
    /// It replaces the previous data of the service. The counterpart is ``PeripheralAdvertisements/serviceValue(_:)``.
    ///
    /// - Parameter value: The value, whose type names the UUID of the service.
    public mutating func setServiceValue<Value: CharacteristicValue>(_ value: Value) {
        serviceData[Value.uuid] = SerDe.serialize(value)
    }
}
