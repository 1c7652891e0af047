// SPDX-License-Identifier: MIT

#if Gateway && Crypto
import Foundation
import Testing

@Suite("The sensors of a group of gateways", .timeLimit(.minutes(60)))
struct SensorSimulationTests {
    /// `BLUECAP_SIMULATE_SEEDS` is the number of seeds to play, `BLUECAP_SIMULATE_FROM` the first of them.
    @Test func `have each press once, their newest values, and one owner, whatever is lost`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["BLUECAP_SIMULATE_FROM"].flatMap { UInt64($0) } ?? 1
        let count = environment["BLUECAP_SIMULATE_SEEDS"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + max(count, 1) {
            var simulation = SensorSimulation(seed: seed)
            let found = try await simulation.run()
            print("sensors of seed \(seed): \(found)")
            #expect(found.older == 0, "seed \(seed): values older than shown before")
            #expect(found.wrong == 0, "seed \(seed): values that were not measured")
            #expect(found.stale == 0 && found.wrongAtEnd == 0, "seed \(seed): values that stayed")
            #expect(found.doubled == 0, "seed \(seed): presses that came twice")
            #expect(found.lost == 0, "seed \(seed): presses that did not come although nothing was lost")
            #expect(found.invented == 0, "seed \(seed): presses that were not made")
            #expect(found.strangers == 0, "seed \(seed): messages of others than the owner")
            #expect(found.faults > 5 && found.presses > 50 && found.states > 300, "seed \(seed): too little happened")
        }
    }
}
#endif
