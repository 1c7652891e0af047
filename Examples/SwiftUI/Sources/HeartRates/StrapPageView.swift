// SPDX-License-Identifier: MIT

#if canImport(SwiftUI)
public import BlueCap
public import SwiftUI

/// One strap. It stays connected while the page is shown.
public struct StrapPageView: View {
    @State private var page: StrapPage

    /// - Parameter strap: The strap to connect to.
    public init(_ strap: Peripheral) { _page = State(initialValue: StrapPage(strap)) }

    /// The heart rate, or the reason why there is none.
    public var body: some View {
        VStack {
            if let problem = page.problem {
                Text(problem)
            } else if let heartRate = page.heartRate {
                Text("\(heartRate) bpm")
            } else {
                Text(page.isConnected ? "Connected" : "Connecting")
            }
        }
        .navigationTitle(page.name)
        .task { await page.follow() }
    }
}
#endif
