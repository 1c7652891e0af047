// SPDX-License-Identifier: MIT

import BlueCapCore

extension Simulation {
    /// Runs the random program of both roles with a seed in worlds over any backend.
    ///
    /// The program's central manager talks to two peers of the world, and a far central of it to the program's
    /// peripheral manager. Beside them, the platform's service misbehaves. The same seed makes the same calls and
    /// faults at the same times; the results are the same as far as the world's threads and processes take turns alike.
    ///
    /// - Parameters:
    ///   - seed: The number that the calls and faults follow from.
    ///   - again: The way to run the seed again, for readers of a failure.
    ///   - limit: The longest time that a run may take on the world's ``ConformanceWorld/deadlineClock``.
    ///   - makeWorld: Makes a world for one run, which closes it when it ends. The world of a run that exceeds the
    ///     limit is left open, because the run still uses it.
    /// - Returns: The record of the run.
    /// - Throws: A ``SimulationFailure`` where the library breaks a promise.
    @discardableResult
    public func run(
        seed: UInt64, again: String, limit: Duration = .seconds(120),
        in makeWorld: @escaping @Sendable () async throws -> any SimulationGround
    ) async throws(SimulationFailure) -> SimulationTrace {
        let steps = faults(seed, hasService: true) + calls(seed)
        return try await run(seed: seed, steps: steps, again: again) { steps in
            do {
                return try await play(seed: seed, steps: steps, limit: limit, in: makeWorld())
            } catch {
                return Outcome(trace: SimulationTrace([]), violations: ["there is no world to play in: \(error)"])
            }
        }
    }

    private func play(
        seed: UInt64, steps: [SimulationStep], limit: Duration, in world: any SimulationGround
    ) async throws -> Outcome {
        let journal = RunJournal(clock: world.clock, tolerance: world.tolerance)
        // Not a child task: a run that does not end is reported, and not waited for.
        let (ends, end) = AsyncStream.makeStream(of: [WeakObject]?.self)
        let run = Task {
            do {
                let objects = try await WorldScene.play(in: world, steps: steps, journal: journal) { scene in
                    await play(in: scene, on: scene.executor) { try await RandomProgram(in: scene, seed: seed) }
                    return await scene.close()
                }
                end.yield(objects)
            } catch {
                journal.violate("the world cannot be played in: \(error)")
                end.yield([])
            }
        }
        let watchdog = Task {
            guard (try? await world.deadlineClock.sleep(for: limit)) != nil else { return }
            end.yield(nil)
        }
        let objects = await ends.first { _ in true } ?? nil
        watchdog.cancel()
        guard let objects else {
            journal.checkThatAllReturned()
            journal.violate("the run did not end within \(limit) of real time")
            run.cancel()
            return Outcome(trace: journal.trace, violations: journal.violations)
        }
        await run.value
        await world.close()
        var violations = journal.violations
        for object in objects where !object.isGone { violations.append("\(object.name) is not released") }
        return Outcome(trace: journal.trace, violations: violations, steps: journal.named(steps))
    }
}
