// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCapCore
import BlueCapRuntime
import BlueCapTesting

/// `bluecap-simulate`: plays the random program of both roles with many seeds, or with one.
@main
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bluecap-simulate",
        abstract: "Plays random programs of both Bluetooth LE roles on a virtual radio on which things go wrong.",
        discussion: """
            Each seed is a run of its own, the same each time. A seed that fails is told with the steps that it takes, and \
            ends the program with status 1 when all seeds were tried.
            """)

    @Option(help: "Play this seed only.")
    var seed: UInt64?

    @Option(help: "How many seeds to play.")
    var seeds: UInt64 = 1000

    @Option(help: "The first seed; a new one each time when left out.")
    var from: UInt64?

    @Option(help: "How many seeds to play side by side.")
    var jobs = 2

    @Option(help: "Play every so many seeds twice, and compare what happened; 0 for none.")
    var twice: UInt64 = 10

    @Flag(help: "Play a program that is killed again and again, and restored, instead.")
    var kills = false

    @Flag(help: "Print what happens, line by line.")
    var lines = false

    func run() async throws {
        let first = seed ?? from ?? UInt64.random(in: 0..<1_000_000_000)
        let count = seed == nil ? seeds : 1
        print("seeds \(first) to \(first + max(count, 1) - 1)")
        let queue = SeedQueue(first: first, count: count)
        let clock = ContinuousClock()
        let start = clock.now
        await withTaskGroup { group in
            for _ in 0..<max(jobs, 1) {
                group.addTask {
                    while let seed = queue.next() { queue.note(await play(seed, queue)) }
                }
            }
        }
        let failed = queue.failureCount
        print("\(count - failed) passed, \(failed) failed in \(start.duration(to: clock.now).components.seconds) s")
        let faults = queue.faults
        print("\(faults.effective) of \(faults.all) faults had a device or an adapter to befall")
        if failed > 0 { throw ExitCode(1) }
    }

    private func trace(of seed: UInt64) async throws(SimulationFailure) -> SimulationTrace {
        kills ? try await Simulation().runWithKills(seed: seed) : try await Simulation().run(seed: seed)
    }

    /// - Returns: Whether the seed passes.
    private func play(_ seed: UInt64, _ queue: SeedQueue) async -> Bool {
        do throws(SimulationFailure) {
            let trace = try await trace(of: seed)
            queue.note(trace)
            if lines { print(trace.lines.joined(separator: "\n")) }
            guard self.seed != nil || (twice > 0 && seed % twice == 0) else { return true }
            let (first, second) = (trace.lines, try await self.trace(of: seed).lines)
            if first == second { return true }
            let place = zip(first, second).enumerated().first { $1.0 != $1.1 }
            print("seed \(seed) is not the same twice: \(place.map { "\($0.element)" } ?? "one is longer")")
        } catch {
            if lines { print(error.trace.lines.joined(separator: "\n")) }
            print(error)
        }
        return false
    }
}

/// Seeds that are still to be played, and how many failed.
private final class SeedQueue: Sendable {
    private struct State {
        var next: UInt64
        let end: UInt64
        var failureCount: UInt64 = 0
        var faults = (all: 0, effective: 0)
    }

    private let state: Locked<State>

    init(first: UInt64, count: UInt64) { state = Locked(State(next: first, end: first + count)) }

    var failureCount: UInt64 { state.withLock { $0.failureCount } }

    /// The faults of all runs that ended.
    var faults: (all: Int, effective: Int) { state.withLock { $0.faults } }

    func next() -> UInt64? {
        state.withLock { state in
            guard state.next < state.end else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    func note(_ trace: SimulationTrace) {
        state.withLock { state in
            state.faults.all += trace.faultCount
            state.faults.effective += trace.effectiveFaultCount
        }
    }

    func note(_ hasPassed: Bool) {
        if !hasPassed { state.withLock { $0.failureCount += 1 } }
    }
}
