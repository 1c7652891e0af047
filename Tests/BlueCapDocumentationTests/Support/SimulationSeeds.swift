// SPDX-License-Identifier: MIT

import Foundation

/// The seeds that each app of an article is played with: the first 50, or as many as `BLUECAP_SIMULATE_SEEDS` says.
enum SimulationSeeds {
    static let all: ClosedRange<UInt64> = {
        let count = ProcessInfo.processInfo.environment["BLUECAP_SIMULATE_SEEDS"].flatMap { UInt64($0) } ?? 50
        return 1...max(count, 1)
    }()
}
