// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual

/// Random programs in random worlds, each a function of a number: its seed.
///
/// A run plays an app on a virtual radio while faults come and go, ends all faults, gives the app time to recover, and
/// lets it check itself. ``run(seed:)`` does so with a random program of both roles, which checks the promises of the
/// library; ``run(_:seed:)`` does so with an app of yours. A seed that fails is run again with fewer and fewer steps,
/// and the failure lists those that it takes.
public struct Simulation: Sendable {
    /// The simulated time during which faults come.
    public var duration: Duration
    /// The simulated time after the last fault that an app may take to recover.
    public var recovery: Duration
    /// The number of faults; most of them end after a while.
    public var faultCount: Int
    /// The number of calls that the random program makes.
    public var callCount: Int
    /// The number of times that a failing seed is run again, at the most, to find the steps that it takes.
    public var shrinkingLimit: Int

    /// Creates a simulation; the defaults suit most apps.
    ///
    /// - Parameters:
    ///   - duration: The simulated time during which faults come.
    ///   - recovery: The simulated time after the last fault that an app may take to recover.
    ///   - faultCount: The number of faults; most of them end after a while.
    ///   - callCount: The number of calls that the random program makes.
    ///   - shrinkingLimit: The number of times that a failing seed is run again, at the most, to find the steps that it
    ///     takes.
    public init(
        duration: Duration = .seconds(60), recovery: Duration = .seconds(120), faultCount: Int = 12,
        callCount: Int = 50,
        shrinkingLimit: Int = 200
    ) {
        self.duration = duration
        self.recovery = recovery
        self.faultCount = faultCount
        self.callCount = callCount
        self.shrinkingLimit = shrinkingLimit
    }

    /// Runs the random program of both roles with a seed.
    ///
    /// - Returns: The record of the run; the same for the same seed.
    /// - Throws: A ``SimulationFailure`` where the library breaks a promise.
    @discardableResult
    public func run(seed: UInt64) async throws(SimulationFailure) -> SimulationTrace {
        try await run(RandomProgram.self, seed: seed, steps: faults(seed) + calls(seed))
    }

    /// Runs a program of both roles with a seed that is killed again and again, and restored.
    ///
    /// - Returns: The record of the run; the same for the same seed.
    /// - Throws: A ``SimulationFailure`` where the library breaks a promise.
    @discardableResult
    public func runWithKills(seed: UInt64) async throws(SimulationFailure) -> SimulationTrace {
        // The program knows its devices by their addresses.
        let faults = faults(seed).filter { !$0.changesAddress }
        return try await run(RestoredProgram.self, seed: seed, steps: faults + kills(seed))
    }

    /// Runs an app with a seed.
    ///
    /// - Parameters:
    ///   - app: The type of the app.
    ///   - seed: The seed of the world and its faults.
    /// - Returns: The trace of the run; the same for the same seed, if the app keeps to the radio's executor.
    /// - Throws: A ``SimulationFailure`` where the app, or the library under it, fails.
    @discardableResult
    public func run<App: SimulatedApp>(
        _ app: App.Type, seed: UInt64
    ) async throws(SimulationFailure) -> SimulationTrace {
        let trace = try await run(app, seed: seed, steps: faults(seed))
        print("seed \(seed) of \(app): \(trace.tally.text)")
        return trace
    }

    /// Runs an app with one seed after another.
    ///
    /// - Parameters:
    ///   - app: The type of the app.
    ///   - seeds: The seeds, in the order in which to run them.
    /// - Throws: The ``SimulationFailure`` of the first seed that fails.
    public func run<App: SimulatedApp>(
        _ app: App.Type, seeds: some Sequence<UInt64>
    ) async throws(SimulationFailure) {
        var tally = FaultTally()
        var count = 0
        for seed in seeds {
            tally = tally + (try await run(app, seed: seed, steps: faults(seed))).tally
            count += 1
        }
        print("\(count) seeds of \(app): \(tally.text)")
    }

    func faults(_ seed: UInt64, hasService: Bool = false) -> [SimulationStep] {
        var generator = SeededGenerator(seed: seed, name: "faults")
        return SimulatedFault.draw(faultCount, over: duration, hasService: hasService, from: &generator)
    }

    func calls(_ seed: UInt64) -> [SimulationStep] {
        var generator = SeededGenerator(seed: seed, name: "calls")
        var links = SeededGenerator(seed: seed, name: "links")
        var channels = SeededGenerator(seed: seed, name: "channels")
        return ProgramCall.draw(callCount, over: duration, from: &generator)
            + ProgramCall.drawDismissals(over: duration, from: &links)
            + ProgramCall.drawChannels(callCount / 4, over: duration, from: &channels)
    }

    func kills(_ seed: UInt64) -> [SimulationStep] {
        var generator = SeededGenerator(seed: seed, name: "kills")
        return (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            let time = Int64.random(in: 0..<max(duration.milliseconds, 1), using: &generator)
            let pause = Int64.random(in: 1...8000, using: &generator)
            return SimulationStep(time: .milliseconds(time), lane: 0, action: .kill(.milliseconds(pause)))
        }
    }

    /// The parameters that differ from the defaults, as they are written in a program.
    private var arguments: String {
        let usual = Simulation()
        let times = [
            ("duration", duration, usual.duration), ("recovery", recovery, usual.recovery),
        ].filter { $0.1 != $0.2 }.map { "\($0.0): .milliseconds(\($0.1.milliseconds))" }
        let counts = [
            ("faultCount", faultCount, usual.faultCount), ("callCount", callCount, usual.callCount),
        ].filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1)" }
        return (times + counts).joined(separator: ", ")
    }

    private func run<App: SimulatedApp>(
        _ app: App.Type, seed: UInt64, steps: [SimulationStep]
    ) async throws(SimulationFailure) -> SimulationTrace {
        let again =
            switch app {
            case is RandomProgram.Type where arguments.isEmpty: "swift run bluecap-simulate --seed \(seed)"
            case is RestoredProgram.Type where arguments.isEmpty: "swift run bluecap-simulate --kills --seed \(seed)"
            case is RandomProgram.Type: "Simulation(\(arguments)).run(seed: \(seed))"
            case is RestoredProgram.Type: "Simulation(\(arguments)).runWithKills(seed: \(seed))"
            default: "Simulation(\(arguments)).run(\(app).self, seed: \(seed))"
            }
        return try await run(seed: seed, steps: steps, again: again) { await play(app, seed: seed, steps: $0) }
    }

    /// Plays steps, and fewer and fewer of them where that fails.
    func run(
        seed: UInt64, steps: [SimulationStep], again: String, _ play: ([SimulationStep]) async -> Outcome
    ) async throws(SimulationFailure) -> SimulationTrace {
        let steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        let outcome = await play(steps)
        if outcome.violations.isEmpty { return outcome.trace }
        // The last run that failed: where threads take part another one with the same steps need not.
        var smallest = (steps: steps, outcome: outcome)
        _ = await shrink(steps) { fewer in
            let outcome = await play(fewer)
            if !outcome.violations.isEmpty { smallest = (fewer, outcome) }
            return !outcome.violations.isEmpty
        }
        let tally = outcome.trace.tally
        throw SimulationFailure(
            seed: seed, again: again, violations: smallest.outcome.violations,
            steps: smallest.outcome.steps ?? smallest.steps, stepCount: steps.count, trace: smallest.outcome.trace,
            notes: (tally.all > 0 ? [tally.text] : []) + outcome.notes)
    }
}

extension SimulationStep {
    fileprivate var changesAddress: Bool { if case .fault(.device(_, .address)) = action { true } else { false } }
}

extension Simulation {
    /// Leaves out as many steps as can be left out of a run that fails: halves first, single steps last.
    ///
    /// - Parameter fails: Whether a run with these steps fails.
    func shrink(
        _ steps: [SimulationStep], fails: ([SimulationStep]) async -> Bool
    ) async -> [SimulationStep] {
        var steps = steps
        var size = max(steps.count / 2, 1)
        var left = shrinkingLimit
        while left > 0 {
            var isSmaller = false
            var start = 0
            while start < steps.count, left > 0 {
                let fewer = Array(steps[..<start] + steps[min(start + size, steps.count)...])
                left -= 1
                if await fails(fewer) {
                    steps = fewer
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            size = max(size / 2, 1)
        }
        return steps
    }
}
