// SPDX-License-Identifier: MIT

import BlueCap

extension MutableCharacteristic {
    /// Its profile; a restored characteristic has none, and takes the profile that is known for its UUIDs.
    var offeredProfile: CharacteristicProfile {
        if profile.name != CharacteristicProfile.unknownName { return profile }
        return KnownProfiles.profile(uuid, in: service?.uuid) ?? profile
    }

    /// Its name, for people.
    var offeredName: String { offeredProfile.name }
}
