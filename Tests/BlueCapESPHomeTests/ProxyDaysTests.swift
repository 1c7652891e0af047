// SPDX-License-Identifier: MIT

#if ESPHome
import Foundation
import Testing

@Suite("Days of a proxy", .timeLimit(.minutes(60)))
struct ProxyDaysTests {
    /// `BLUECAP_SIMULATE_SEEDS` is the number of seeds to play, `BLUECAP_SIMULATE_FROM` the first of them; without them
    /// the first three.
    @Test func `with faults leave no link, no slot and nothing uncounted`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BLUECAP_SIMULATE_FROM"].flatMap { UInt64($0) } ?? 1
        let count = environment["BLUECAP_SIMULATE_SEEDS"].flatMap { UInt64($0) } ?? 3
        for seed in first..<first + max(count, 1) {
            let found = try await ProxyDay.run(seed: seed)
            print("seed \(seed): \(found)")
            #expect(found.mistakes.isEmpty, "seed \(seed), to be played again by BLUECAP_SIMULATE_FROM")
        }
    }
}
#endif
