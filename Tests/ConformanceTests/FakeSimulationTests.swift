#if BlueZ && os(Linux)
import BlueCapTesting
import FakeBlueZ
import Glibc
import Testing

/// Random programs of both roles on the BlueZ backend, over a real message bus with a scripted `org.bluez` that misbehaves.
///
/// `BLUECAP_SIMULATE_SEEDS` says how many seeds to play, `BLUECAP_SIMULATE_FROM` the first of them. What happens in a run that
/// fails is printed when `BLUECAP_SIMULATE_LINES` is 1.
@Suite("The simulation over a scripted daemon", .timeLimit(.minutes(20)))
struct FakeSimulationTests {
    private static func number(_ name: String) -> UInt64? {
        unsafe getenv(name).flatMap { unsafe UInt64(String(cString: $0)) }
    }

    @Test("passes with every seed")
    func seeds() async throws {
        let first = Self.number("BLUECAP_SIMULATE_FROM") ?? 1
        let count = Self.number("BLUECAP_SIMULATE_SEEDS") ?? 4
        print("seeds \(first) to \(first + max(count, 1) - 1)")
        let failureCount = await withTaskGroup { group in
            for lane in 0..<2 {
                group.addTask {
                    var failureCount = 0
                    for seed in stride(from: first + UInt64(lane), to: first + count, by: 2) {
                        failureCount += await Self.passes(seed) ? 0 : 1
                    }
                    return failureCount
                }
            }
            return await group.reduce(0, +)
        }
        print("\(Int(count) - failureCount) passed, \(failureCount) failed")
    }

    private static func passes(_ seed: UInt64) async -> Bool {
        let again = "BLUECAP_SIMULATE_FROM=\(seed) BLUECAP_SIMULATE_SEEDS=1 swift test --filter FakeSimulationTests"
        do throws(SimulationFailure) {
            try await Simulation(shrinkingLimit: 60).run(seed: seed, again: again) {
                try await FakeWorld(passesTime: true)
            }
            return true
        } catch {
            Issue.record("\(error)")
            if Self.number("BLUECAP_SIMULATE_LINES") == 1 { print(error.trace.lines.joined(separator: "\n")) }
            return false
        }
    }
}
#endif
