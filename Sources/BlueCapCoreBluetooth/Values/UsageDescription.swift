// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import Foundation

/// The sentence in an app's Info.plist that says why it uses Bluetooth.
///
/// P1: without it the system ends the process when it makes a manager of CoreBluetooth. On macOS a program in a
/// terminal has none of its own, and uses the terminal's.
enum UsageDescription {
    private static let key = "NSBluetoothAlwaysUsageDescription"

    /// The reason why this app may make no manager of CoreBluetooth; nil if it may.
    static var failure: BackendFailure? {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        failure { Bundle.main.object(forInfoDictionaryKey: $0) }
        #else
        nil
        #endif
    }

    /// The reason for an Info.plist with these entries.
    ///
    /// The bundles of apps alone are looked at: of an extension, and of a test, the sentence may be another bundle's.
    static func failure(_ entry: (String) -> Any?) -> BackendFailure? {
        guard entry("CFBundlePackageType") as? String == "APPL", entry(key) == nil else { return nil }
        return BackendFailure(
            name: "CoreBluetooth.noUsageDescription",
            message: "the app does not say why it uses Bluetooth, and the system would end it",
            advice: "add \(key) with a sentence for the user to its Info.plist")
    }
}
#endif
