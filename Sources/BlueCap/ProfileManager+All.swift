// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapProfiles
import BlueCapVendorProfiles

extension ProfileManager {
    /// A manager with all profiles that the library ships. Where two are for one service, it has that of the Bluetooth
    /// SIG.
    public static let all = gnosus.adding(nordic).adding(sensorTag).adding(standard)
}
