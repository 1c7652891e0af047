// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapProfiles
import BlueCapVendorProfiles

extension ProfileManager {
    /// A manager with all profiles that the library ships; of two for one service that of the Bluetooth SIG counts.
    public static let all = gnosus.adding(nordic).adding(sensorTag).adding(standard)
}
