// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import Foundation

/// Follows the app into the background and back, where CoreBluetooth reports each peripheral of a scan once (B3).
///
/// The notifications are named by their texts, so that neither UIKit nor WatchKit is linked; nothing posts them on
/// macOS. An app that becomes active has not always been told that it enters the foreground: at its start it is not.
final class AppBackground {
    private static let names: [(String, isBackground: Bool)] = ["UI", "WK"].flatMap { kit in
        [
            ("\(kit)ApplicationDidEnterBackgroundNotification", true),
            ("\(kit)ApplicationWillEnterForegroundNotification", false),
            ("\(kit)ApplicationDidBecomeActiveNotification", false),
        ]
    }

    private var observers: [any NSObjectProtocol] = []

    /// Begins to follow the app.
    ///
    /// - Parameter changed: Takes whether the app is in the background, on the thread that posts the notification.
    init(_ changed: @escaping @Sendable (Bool) -> Void) {
        observers = Self.names.map { name, isBackground in
            NotificationCenter.default.addObserver(forName: NSNotification.Name(name), object: nil, queue: nil) { _ in
                changed(isBackground)
            }
        }
    }

    /// Follows the app no longer.
    func stop() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }
}
#endif
