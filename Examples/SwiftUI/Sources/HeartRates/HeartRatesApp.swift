// SPDX-License-Identifier: MIT

#if canImport(SwiftUI)
import BlueCap
public import SwiftUI

/// The app, which a target of Xcode runs by one line: `HeartRatesApp.main()`.
public struct HeartRatesApp: App {
    /// The only manager, made at launch, as a restoration by the system asks for.
    private let central = CentralManager()

    /// Makes the manager.
    public init() {}

    /// One window with the list.
    public var body: some Scene {
        WindowGroup { StrapListView(central: central) }
    }
}
#endif
