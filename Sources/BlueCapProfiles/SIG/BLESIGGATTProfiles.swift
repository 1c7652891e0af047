// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

/// The profiles of the Bluetooth SIG's services.
public enum BLESIGGATTProfiles {
    /// One profile for each service, with its characteristics.
    public static var services: [ServiceProfile] { health + sensing }

    /// Adds the profiles to a manager; each takes the place of one with the same UUID.
    public static func create(profileManager: inout ProfileManager) {
        for service in services { profileManager.addService(service) }
    }
}
#endif
