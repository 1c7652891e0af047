// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

extension ProfileManager {
    /// A manager with the profiles of the Texas Instruments SensorTag, those of ``TISensorTagProfiles``.
    public static let sensorTag = ProfileManager(services: TISensorTagProfiles.services)

    /// A manager with the profiles of Nordic Semiconductor, those of ``NordicProfiles``.
    public static let nordic = ProfileManager(services: NordicProfiles.services)

    /// A manager with the profiles of gnos.us, those of ``GnosusProfiles``.
    public static let gnosus = ProfileManager(services: GnosusProfiles.services)
}
#endif
