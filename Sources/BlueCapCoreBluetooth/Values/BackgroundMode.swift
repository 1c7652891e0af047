// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import Foundation

/// The background modes that a program declares in its Info.plist, one for each role.
enum BackgroundMode: String {
    case central = "bluetooth-central"
    case peripheral = "bluetooth-peripheral"

    /// Returns a restore identifier that CoreBluetooth takes: on iOS one of a program without the mode raises an
    /// exception, which ends the process (JuulLabs/kable#554). The journal of the manager works without it.
    func checked(_ restoreIdentifier: String?) -> String? {
        #if os(iOS)
        let modes = Bundle.main.object(forInfoDictionaryKey: "UIBackgroundModes") as? [String] ?? []
        return modes.contains(rawValue) ? restoreIdentifier : nil
        #else
        return restoreIdentifier
        #endif
    }
}
#endif
