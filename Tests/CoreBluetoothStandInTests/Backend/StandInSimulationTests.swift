// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapTesting
import CoreBluetooth
import Testing

/// Random programs of both roles on the CoreBluetooth backend, over the stand-in with all its faults.
///
/// `BLUECAP_SIMULATE_SEEDS` is the number of seeds to play, without which none is played, and `BLUECAP_SIMULATE_FROM`
/// the first of them. `BLUECAP_SIMULATE_HABITS` names the faults that last as long as the world, with commas between
/// them, and `BLUECAP_SIMULATE_INTERVAL` is the number of milliseconds from one event of a link to the next. With
/// `BLUECAP_SIMULATE_TRACE` the trace of each seed that fails is printed. The clock goes on only when nothing is under
/// way, however busy the machine is; so a seed that fails has failed, even if it passes when it is played again:
/// threads have taken turns otherwise.
@Suite("The simulation over the stand-in", .timeLimit(.minutes(60)))
struct StandInSimulationTests {
    private static func text(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

    private static func number(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0) } }

    private static let habitNames = (text("BLUECAP_SIMULATE_HABITS") ?? "").split(separator: ",").map(String.init)
    private static let interval = Duration.milliseconds(number("BLUECAP_SIMULATE_INTERVAL") ?? 45)

    @Test(.enabled(if: Self.number("BLUECAP_SIMULATE_SEEDS") != nil)) func `passes with every seed`() async {
        let first = Self.number("BLUECAP_SIMULATE_FROM") ?? 1
        let count = Self.number("BLUECAP_SIMULATE_SEEDS") ?? 0
        print("seeds \(first) to \(first + max(count, 1) - 1), links of \(Self.interval)", Self.habitNames)
        let habits = Set(Self.habitNames.compactMap(StandInFault.init(rawValue:)))
        #expect(habits.count == Self.habitNames.count)
        let failures = await withTaskGroup { group in
            for lane in 0..<2 {
                group.addTask {
                    var failures: [SimulationFailure] = []
                    for seed in stride(from: first + UInt64(lane), to: first + count, by: 2) {
                        if let failure = await Self.failure(of: seed, habits) { failures.append(failure) }
                    }
                    return failures
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for failure in failures {
            if Self.text("BLUECAP_SIMULATE_TRACE") != nil { for line in failure.trace.lines { print(line) } }
            Issue.record("\(failure)")
        }
        print("\(Int(count) - failures.count) passed, \(failures.count) failed")
    }

    private static func failure(of seed: UInt64, _ habits: Set<StandInFault>) async -> SimulationFailure? {
        let again =
            "BLUECAP_COREBLUETOOTH_STANDIN=1 BLUECAP_SIMULATE_FROM=\(seed) BLUECAP_SIMULATE_SEEDS=1 "
            + "BLUECAP_SIMULATE_HABITS=\(habitNames.joined(separator: ",")) "
            + "BLUECAP_SIMULATE_INTERVAL=\(interval / .milliseconds(1)) "
            + "swift test --scratch-path .build-apple --filter StandInSimulationTests"
        do throws(SimulationFailure) {
            try await Simulation(shrinkingLimit: 0).run(seed: seed, again: again) {
                StandInWorld(settings: .init(faults: habits), seed: seed, interval: interval)
            }
            return nil
        } catch {
            return error
        }
    }
}
