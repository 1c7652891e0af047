// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapVirtual

extension Simulation {
    struct Outcome: Sendable {
        var trace: SimulationTrace
        var violations: [String]
        /// The steps with the names of that which they befell; nil where the run came to no end.
        var steps: [SimulationStep]?
        /// Sentences that help to understand a failure.
        var notes: [String] = []
    }

    /// Plays an app in a world of its own.
    func play<App: SimulatedApp>(_ app: App.Type, seed: UInt64, steps: [SimulationStep]) async -> Outcome {
        do {
            let (outcome, objects) = try await playOnce(app, seed: seed, steps: steps)
            var final = outcome
            for object in objects where !object.isGone { final.violations.append("\(object.name) is not released") }
            return final
        } catch {
            return Outcome(trace: SimulationTrace([]), violations: ["the run did not end by itself: \(error)"])
        }
    }

    /// - Returns: The outcome, and the objects that must be gone once the radio is.
    private func playOnce<App: SimulatedApp>(
        _ app: App.Type, seed: UInt64, steps: [SimulationStep]
    ) async throws -> (Outcome, [WeakObject]) {
        let notes = Locked<[String]>([])
        let limit = max(.seconds(100_000), (duration + recovery) * 2)
        var (outcome, objects) = try await VirtualRadio(seed: seed, clock: ManualClock()).run(
            limit: limit, noticing: { text in notes.withLock { $0.append(text) } }
        ) { radio in
            let world = SimulatedWorld(radio: radio, steps: steps)
            await play(app, in: world)
            let objects = await world.close()
            let journal = world.journal
            return (
                Outcome(trace: journal.trace, violations: journal.violations, steps: journal.named(steps)), objects
            )
        }
        outcome.notes = notes.withLock { $0 }
        return (outcome, objects)
    }

    private func play<App: SimulatedApp>(_ app: App.Type, in world: SimulatedWorld) async {
        await play(in: world, on: world.radio.executor) { try await App(in: world) }
    }

    /// Plays an app in a scene.
    func play<App: SimulatedApp>(
        in scene: some SimulationScene, on executor: any TaskExecutor, _ makeApp: () async throws -> App
    ) async {
        let journal = scene.journal
        let clock = journal.clock
        do {
            let app = try await makeApp()
            // Not a child task: an app that does not end is reported, and not waited for.
            let hasEnded = Locked(false)
            let task = Task(executorPreference: executor) {
                do { try await app.run() } catch {
                    if !Task.isCancelled { journal.violate("the app failed: \(error)") }
                }
                hasEnded.withLock { $0 = true }
            }
            await scene.playFaults()
            let rest = max(duration - clock.elapsed, .zero)
            try await clock.sleep(for: rest)
            journal.heal()
            await scene.heal()
            try await clock.sleep(for: recovery)
            do {
                try await app.check()
                try await app.check(pending: scene.pending)
            } catch {
                journal.violate("\(error)")
            }
            task.cancel()
            try await clock.sleep(for: .seconds(10))
            if !hasEnded.withLock({ $0 }) { journal.violate("the app did not end when its task was cancelled") }
        } catch {
            journal.violate("the app could not be made: \(error)")
        }
    }
}
