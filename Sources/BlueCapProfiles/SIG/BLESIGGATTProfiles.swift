// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

/// The profiles of the Bluetooth SIG's services.
public enum BLESIGGATTProfiles {
    /// One profile for each service, with its characteristics.
    public static var services: [ServiceProfile] { health + sensing }
}

extension ProfileManager {
    /// A manager with the profiles of the Bluetooth SIG's services, those of ``BLESIGGATTProfiles``.
    public static let standard = ProfileManager(services: BLESIGGATTProfiles.services)
}
#endif
