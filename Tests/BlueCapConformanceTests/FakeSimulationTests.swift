// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapFakeBlueZ
import BlueCapPlatform
import BlueCapTesting
import Testing

/// Random programs of both roles on the BlueZ backend, over a real message bus with a scripted `org.bluez` that
/// misbehaves.
///
/// `BLUECAP_SIMULATE_SEEDS` says how many seeds to play, `BLUECAP_SIMULATE_FROM` the first of them. What happens in a
/// run that fails is printed when `BLUECAP_SIMULATE_LINES` is 1.
///
/// A manual clock goes on when the bus is at rest, and on a busy machine a thread may not have begun what it has to do
/// by then. So a seed that fails beside another is played again alone, which decides.
@Suite("The simulation over a scripted daemon", .timeLimit(.minutes(20)))
struct FakeSimulationTests {
    private static func number(_ name: String) -> UInt64? {
        unsafe getenv(name).flatMap { unsafe UInt64(String(cString: $0)) }
    }

    @Test func `passes with every seed`() async throws {
        let first = Self.number("BLUECAP_SIMULATE_FROM") ?? 1
        let count = Self.number("BLUECAP_SIMULATE_SEEDS") ?? 4
        print("seeds \(first) to \(first + max(count, 1) - 1)")
        let doubtful = await withTaskGroup { group in
            for lane in 0..<2 {
                group.addTask {
                    var doubtful: [UInt64] = []
                    for seed in stride(from: first + UInt64(lane), to: first + count, by: 2) {
                        if await Self.failure(of: seed) != nil { doubtful.append(seed) }
                    }
                    return doubtful
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        // More than a few is no chance: two at once share the machine, and nothing else.
        #expect(doubtful.count <= 3, "\(doubtful) failed beside one another")
        var failureCount = 0
        for seed in doubtful {
            guard let failure = await Self.failure(of: seed) else {
                print("seed \(seed) failed beside another and passes alone")
                continue
            }
            failureCount += 1
            Issue.record("\(failure)")
            if Self.number("BLUECAP_SIMULATE_LINES") == 1 { print(failure.trace.lines.joined(separator: "\n")) }
        }
        print("\(Int(count) - failureCount) passed, \(failureCount) failed")
    }

    private static func failure(of seed: UInt64) async -> SimulationFailure? {
        let again = "BLUECAP_SIMULATE_FROM=\(seed) BLUECAP_SIMULATE_SEEDS=1 swift test --filter FakeSimulationTests"
        do throws(SimulationFailure) {
            try await Simulation(shrinkingLimit: 60).run(seed: seed, again: again) {
                try await FakeWorld(passesTime: true)
            }
            return nil
        } catch {
            return error
        }
    }
}
#endif
