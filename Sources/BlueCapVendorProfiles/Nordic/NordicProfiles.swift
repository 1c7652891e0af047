// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

/// The profiles of all services in ``Nordic``.
public enum NordicProfiles {
    /// One profile for each service, with its characteristics.
    public static var services: [ServiceProfile] {
        [
            ConfiguredServiceProfile<Nordic.DeviceTemperatureService>(characteristics: [
                RawCharacteristicProfile<Nordic.DeviceTemperatureService.Data>()
            ]).profile,
            ConfiguredServiceProfile<Nordic.BLEAddressService>(characteristics: [
                RawArrayCharacteristicProfile<Nordic.BLEAddressService.Address>(),
                RawCharacteristicProfile<Nordic.BLEAddressService.AddressType>(),
            ]).profile,
            uart,
        ]
    }

    /// The UART service. Its characteristics carry streams and have no value at first.
    public static var uart: ServiceProfile {
        ConfiguredServiceProfile<Nordic.UARTService>(characteristics: [
            RawCharacteristicProfile<Nordic.UARTService.RX>(), RawCharacteristicProfile<Nordic.UARTService.TX>(),
        ]).profile
    }
}
#endif
