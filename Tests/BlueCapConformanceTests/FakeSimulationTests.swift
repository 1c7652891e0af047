// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapFakeBlueZ
import BlueCapPlatform
import BlueCapTesting
import Testing

/// Random programs of both roles on the BlueZ backend, over a real message bus with a scripted `org.bluez` that
/// misbehaves.
///
/// `BLUECAP_SIMULATE_SEEDS` is the number of seeds to play, `BLUECAP_SIMULATE_FROM` the first of them. The manual clock
/// goes on only when nothing is under way, however busy the machine is; so a seed that fails has failed, even if it
/// passes when it is played again: threads and processes have taken turns otherwise. The events of the first run that
/// failed are printed, and those of all failed runs when `BLUECAP_SIMULATE_LINES` is 1.
@Suite("The simulation over a scripted daemon", .timeLimit(.minutes(60)))
struct FakeSimulationTests {
    private static func number(_ name: String) -> UInt64? {
        unsafe getenv(name).flatMap { unsafe UInt64(String(cString: $0)) }
    }

    @Test func `passes with every seed`() async throws {
        let first = Self.number("BLUECAP_SIMULATE_FROM") ?? 1
        let count = Self.number("BLUECAP_SIMULATE_SEEDS") ?? 4
        print("seeds \(first) to \(first + max(count, 1) - 1)")
        // Two run at once, so that one has work to do while the other's process has its turn.
        let verdicts = await withTaskGroup { group in
            for lane in 0..<2 {
                group.addTask {
                    var verdicts: [SeedVerdict<SimulationFailure>] = []
                    for seed in stride(from: first + UInt64(lane), to: first + count, by: 2) {
                        guard let verdict = await Self.verdict(of: seed, isFirst: verdicts.isEmpty) else { continue }
                        verdicts.append(verdict)
                    }
                    return verdicts
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for verdict in verdicts { Issue.record("\(verdict.first)") }
        print("\(Int(count) - verdicts.count) passed, \(verdicts.count) failed")
    }

    /// A pairing that was cancelled while the daemon stood still made a link when the device was back; a read that the
    /// device refused for want of authentication after it had paired was never answered. The scripted daemon kept a
    /// notify session whose StopNotify it had not read when its adapter was switched off; and a registration that was
    /// undone while it read the advertisement. A discovery that began after its adapter was off and on again ran on,
    /// though no manager wanted it.
    @Test(arguments: [5_000_518, 5_000_158, 1_795_815_222, 1_795_824_636, 1_795_830_066, 1_796_059_037] as [UInt64])
    func `passes with a seed that has failed before`(_ seed: UInt64) async {
        if let failure = await Self.failure(of: seed, shrinkingLimit: 0) { Issue.record("\(failure)") }
    }

    /// Plays a seed; nil where it passes. A failure is printed at once, and then fewer and fewer steps that fail, too.
    private static func verdict(of seed: UInt64, isFirst: Bool) async -> SeedVerdict<SimulationFailure>? {
        let verdict: SeedVerdict<SimulationFailure>? = await SeedVerdict.play { isAgain in
            guard let failure = await failure(of: seed, shrinkingLimit: 0) else { return nil }
            if !isAgain { print("\(failure)") }
            if !isAgain && isFirst || number("BLUECAP_SIMULATE_LINES") == 1 {
                print(failure.trace.lines.joined(separator: "\n"))
            }
            return failure
        }
        guard let verdict else { return nil }
        print("seed \(seed) has failed, and \(verdict.repeats) times of \(verdict.attempts) when it was played again")
        if let smaller = await failure(of: seed, shrinkingLimit: 60) { print("\(smaller)") }
        return verdict
    }

    private static func failure(of seed: UInt64, shrinkingLimit: Int) async -> SimulationFailure? {
        let again = "BLUECAP_SIMULATE_FROM=\(seed) BLUECAP_SIMULATE_SEEDS=1 swift test --filter FakeSimulationTests"
        do throws(SimulationFailure) {
            try await Simulation(shrinkingLimit: shrinkingLimit).run(seed: seed, again: again, limit: .seconds(3600)) {
                try await FakeWorld(passesTime: true)
            }
            return nil
        } catch {
            return error
        }
    }
}
#endif
