// SPDX-License-Identifier: MIT

import BlueCapCore
import Testing

@testable import BlueCapTesting

@Suite("The simulation of both roles", .timeLimit(.minutes(5)))
struct SimulationTests {
    @Test(arguments: [1, 1001, 2001, 3001] as [UInt64])
    func `passes with fixed seeds`(first: UInt64) async throws {
        for seed in first..<(first + 10) { try await Simulation().run(seed: seed) }
    }

    @Test
    func `takes a subscription for left on that a peer refused to end, whatever changes of its services`() async throws
    { try await Simulation().run(seed: 5908) }

    @Test func `gives the same for the same seed, and something else for another`() async throws {
        let first = try await Simulation().run(seed: 17).lines
        #expect(first.count > 100)
        for _ in 0..<2 { #expect(try await Simulation().run(seed: 17).lines == first) }
        #expect(try await Simulation().run(seed: 18).lines != first)
    }

    @Test(arguments: [SuspendedRules.orphanSlots, .earlyListeners, .drainAtDisconnect])
    func `notices within 1000 seeds when a rule of the library is left out`(rule: SuspendedRules) async throws {
        let failure = await SuspendedRules.$current.withValue(rule) { await Self.firstFailure(ofSeeds: 1000) }
        let found = try #require(failure)
        #expect(found.steps.count < found.stepCount)
        // With the rule the same seed passes.
        try await Simulation().run(seed: found.seed)
    }

    private static func firstFailure(ofSeeds count: UInt64) async -> SimulationFailure? {
        for seed in 1...count {
            do throws(SimulationFailure) { try await Simulation().run(seed: seed) } catch { return error }
        }
        return nil
    }

    @Test func `tells of a failure how to run it again, and which steps it takes`() {
        let failure = SimulationFailure(
            seed: 7, again: "swift run bluecap-simulate --seed 7", violations: ["1.000 s  a read has not returned"],
            steps: [SimulationStep(time: .milliseconds(1500), lane: 0, action: .fault(.device(1, .vanish)))],
            stepCount: 60, trace: SimulationTrace([]))
        #expect(
            failure.description == """
                seed 7 fails:
                    1.000 s  a read has not returned
                run it again: swift run bluecap-simulate --seed 7
                the steps that it takes, 1 of 60:
                    1.500 s  device 1 goes out of range
                """)
    }

    @Test func `leaves out of a failure every step that it does not take`() async {
        let steps = (0..<40).map {
            SimulationStep(time: .seconds($0), lane: 0, action: .fault(.device(0, .move(metres: $0))))
        }
        let needed = await Simulation().shrink(steps) { $0.contains(steps[3]) && $0.contains(steps[31]) }
        #expect(needed == [steps[3], steps[31]])
    }
}
