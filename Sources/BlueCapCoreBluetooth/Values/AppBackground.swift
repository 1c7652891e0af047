// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import Foundation

/// Follows the app into the background and back, where CoreBluetooth reports each peripheral of a scan once (B3).
///
/// The notifications are named by their texts, so that UIKit is not linked; nothing posts them on macOS.
final class AppBackground {
    private static let entering = "UIApplicationDidEnterBackgroundNotification"
    private static let leaving = "UIApplicationWillEnterForegroundNotification"

    private var observers: [any NSObjectProtocol] = []

    /// Begins to follow the app.
    ///
    /// - Parameter changed: Takes whether the app is in the background, on the thread that posts the notification.
    init(_ changed: @escaping @Sendable (Bool) -> Void) {
        observers = [(Self.entering, true), (Self.leaving, false)].map { name, isBackground in
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
