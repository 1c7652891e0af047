// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

/// The profiles of all services in ``Gnosus``.
public enum GnosusProfiles {
    /// One profile for each service, with its characteristics.
    public static var services: [ServiceProfile] {
        [
            ConfiguredServiceProfile<Gnosus.HelloWorldService>(characteristics: [
                RawCharacteristicProfile<Gnosus.HelloWorldService.Greeting>(),
                RawCharacteristicProfile<Gnosus.HelloWorldService.UpdatePeriod>(),
            ]).profile,
            ConfiguredServiceProfile<Gnosus.LocationService>(characteristics: [
                RawArrayCharacteristicProfile<Gnosus.LocationService.LatitudeAndLongitude>()
            ]).profile,
        ]
    }
}
#endif
