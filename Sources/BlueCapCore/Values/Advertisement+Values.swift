// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Advertisement {
    /// Puts a value into the service data, encoded as a characteristic's value is, in place of what is there: the
    /// counterpart of ``PeripheralAdvertisements/serviceValue(_:)``.
    ///
    /// - Parameter value: The value, whose type names the UUID of the service.
    public mutating func setServiceValue<Value: CharacteristicValue>(_ value: Value) {
        serviceData[Value.uuid] = SerDe.serialize(value)
    }
}
