// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

/// The profiles of all services in ``TISensorTag``.
public enum TISensorTagProfiles {
    /// One profile for each service, with its characteristics.
    public static var services: [ServiceProfile] {
        [accelerometer, magnetometer, gyroscope, temperature, barometer, hygrometer, test, keys]
    }

    /// The SensorTag's Device Information service with its six texts, for a peripheral that passes for a SensorTag.
    ///
    /// It is not among ``services``: its UUID is that of every device's Device Information service, for which a central
    /// needs the Bluetooth SIG's profile.
    public static var deviceInformation: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.DeviceInformationService>(characteristics: [
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.ModelNumber>(),
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.SerialNumber>(),
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.FirmwareRevision>(),
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.HardwareRevision>(),
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.SoftwareRevision>(),
            StringCharacteristicProfile<TISensorTag.DeviceInformationService.ManufacturerName>(),
        ]).profile
    }

    private static var accelerometer: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.AccelerometerService>(characteristics: [
            RawArrayCharacteristicProfile<TISensorTag.AccelerometerService.Data>(),
            RawCharacteristicProfile<TISensorTag.AccelerometerService.Enabled>(),
            RawCharacteristicProfile<TISensorTag.AccelerometerService.UpdatePeriod>(),
        ]).profile
    }

    private static var magnetometer: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.MagnetometerService>(characteristics: [
            RawArrayCharacteristicProfile<TISensorTag.MagnetometerService.Data>(),
            RawCharacteristicProfile<TISensorTag.MagnetometerService.Enabled>(),
            RawCharacteristicProfile<TISensorTag.MagnetometerService.UpdatePeriod>(),
        ]).profile
    }

    private static var gyroscope: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.GyroscopeService>(characteristics: [
            RawArrayCharacteristicProfile<TISensorTag.GyroscopeService.Data>(),
            RawCharacteristicProfile<TISensorTag.GyroscopeService.Enabled>(),
        ]).profile
    }

    private static var temperature: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.TemperatureService>(characteristics: [
            RawArrayCharacteristicProfile<TISensorTag.TemperatureService.Data>(),
            RawCharacteristicProfile<TISensorTag.TemperatureService.Enabled>(),
        ]).profile
    }

    private static var barometer: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.BarometerService>(characteristics: [
            RawPairCharacteristicProfile<TISensorTag.BarometerService.Data>(),
            RawArrayPairCharacteristicProfile<TISensorTag.BarometerService.CalibrationData>(),
            RawCharacteristicProfile<TISensorTag.BarometerService.Enabled>(),
        ]).profile
    }

    private static var hygrometer: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.HygrometerService>(characteristics: [
            RawArrayCharacteristicProfile<TISensorTag.HygrometerService.Data>(),
            RawCharacteristicProfile<TISensorTag.HygrometerService.Enabled>(),
        ]).profile
    }

    private static var test: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.SensorTagTestService>(characteristics: [
            RawCharacteristicProfile<TISensorTag.SensorTagTestService.Data>(),
            RawCharacteristicProfile<TISensorTag.SensorTagTestService.Enabled>(),
        ]).profile
    }

    private static var keys: ServiceProfile {
        ConfiguredServiceProfile<TISensorTag.KeyPressedService>(characteristics: [
            RawCharacteristicProfile<TISensorTag.KeyPressedService.Data>()
        ]).profile
    }
}
#endif
