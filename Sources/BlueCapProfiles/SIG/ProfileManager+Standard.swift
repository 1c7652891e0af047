// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
public import BlueCapCore

extension ProfileManager {
    /// A manager with the profiles of the Bluetooth SIG's services, those of ``BLESIGGATTProfiles``.
    public static let standard = ProfileManager(services: BLESIGGATTProfiles.services)
}
#endif
