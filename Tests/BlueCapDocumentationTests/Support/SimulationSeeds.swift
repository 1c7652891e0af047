// SPDX-License-Identifier: MIT

import BlueCapTesting
import Foundation
import Testing

/// The seeds that each app of an article is played with: as many as `BLUECAP_SIMULATE_SEEDS` says, from
/// `BLUECAP_SIMULATE_FROM` on; without them the first 25.
enum SimulationSeeds {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Plays an app with each seed until one fails, which is told with the command that plays it again.
    ///
    /// - Parameter suite: The suite of the test that plays it.
    static func play<App: SimulatedApp>(_ app: App.Type, in suite: Any.Type) async {
        let first = number("BLUECAP_SIMULATE_FROM") ?? 1
        let last = first + max(number("BLUECAP_SIMULATE_SEEDS") ?? 25, 1) - 1
        print("seeds \(first) to \(last) of \(app)")
        do throws(SimulationFailure) {
            try await Simulation().run(app, seeds: first...last)
            print("\(last - first + 1) passed, 0 failed")
        } catch {
            Issue.record("\(error)")
            let command = "BLUECAP_SIMULATE_FROM=\(error.seed) BLUECAP_SIMULATE_SEEDS=1 swift test --filter \(suite)"
            print("run it again: \(command)")
            print("\(error.seed - first) passed, 1 failed")
        }
    }
}
