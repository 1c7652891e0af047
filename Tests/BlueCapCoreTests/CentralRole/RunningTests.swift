// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor
import Logging
import Testing

@testable import BlueCapCore

/// A class of an app that is bound to no actor and is not `Sendable`.
private final class Tally {
    var count = 0
}

@Suite("Work on a central manager's executor", .timeLimit(.minutes(60)))
struct RunningTests {
    @Test func `a body runs on the manager's executor, wherever its caller is`() async throws {
        try await World.runThreaded { world in
            let isHere = await world.central.run { world.isHere }
            #expect(isHere)
        }
    }

    @Test func `a body is on the manager's executor again after it was elsewhere`() async throws {
        try await World.runThreaded { world in
            let found = await world.central.run {
                let elsewhere = await withTaskExecutorPreference(globalConcurrentExecutor) { world.isHere }
                return [elsewhere, world.isHere]
            }
            #expect(found == [false, true])
        }
    }

    @Test func `child tasks of a body run on the manager's executor`() async throws {
        try await World.runThreaded { world in
            let found = await world.central.run {
                async let single = world.isHereInTask()
                let group = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<4 { group.addTask { world.isHere } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                return await group + [single]
            }
            #expect(found == [true, true, true, true, true])
        }
    }

    @Test func `behind a run the caller is where it was before`() async throws {
        try await World.runThreaded { world in
            await world.central.run {}
            #expect(!world.isHere)
        }
    }

    @Test func `a body uses what the function around it may use, and returns what it likes`() async throws {
        try await World.runThreaded { world in
            let tally = Tally()
            var isCounted = false
            let same = await world.central.run {
                tally.count += 1
                isCounted = true
                return tally
            }
            #expect(same === tally)
            #expect(tally.count == 1)
            #expect(isCounted)
        }
    }

    @Test func `an error of a body keeps its type`() async throws {
        try await World.runThreaded { world in
            let peripheral = await world.meet()
            do throws(PeripheralError) {
                _ = try await world.central.run { () throws(PeripheralError) in try await peripheral.readRSSI() }
                Issue.record("nothing is connected")
            } catch {
                #expect(error == .disconnected)
            }
        }
    }

    @Test func `the cancellation of a task reaches the call that its body waits for`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let call = await world.start { try await world.central.run { try await peripheral.connect() } }
            await world.cancel(call)
            #expect(call.error as? PeripheralError == .cancelled)
        }
    }

    @Test func `what a body asks of the radio is answered while it waits for it`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await world.central.run { try await level.read() } }
            await world.answer(.read(.one, Battery.level), .value([42]))
            #expect(call.value == [42])
        }
    }

    @Test func `runs can be nested, also of another manager`() async throws {
        try await World.runThreaded { first in
            try await World.runThreaded { second in
                let found = await first.central.run {
                    let inner = await first.central.run { first.isHere }
                    let other = await second.central.run { second.isHere && !first.isHere }
                    return [inner, other, first.isHere]
                }
                #expect(found == [true, true, true])
            }
        }
    }

    @Test func `a body can end its manager`() async throws {
        try await World.runThreaded { world in
            let isHere = await world.central.run {
                await world.central.invalidate()
                return world.isHere
            }
            #expect(isHere)
        }
    }

    @Test func `a manager that was invalidated runs a body, whose calls throw`() async throws {
        try await World.runThreaded { world in
            let peripheral = await world.meet()
            await world.central.invalidate()
            await #expect(throws: PeripheralError.invalidated) {
                try await world.central.run { try await peripheral.connect() }
            }
        }
    }

    @Test func `the manager itself can run a body`() async throws {
        try await World.runThreaded { world in
            let isHere = await world.central.runFromInside { world.isHere }
            #expect(isHere)
        }
    }

    @Test func `a manager that only a run holds lives as long as the body`() async throws {
        let backend = ScriptedCentralBackend(executor: TestExecutor(), features: [])
        let count = await CentralManager(backend: backend).run {
            await backend.wait(for: .activate)
            return await backend.count(.invalidate)
        }
        #expect(count == 0)
        await backend.wait(for: .invalidate)
    }

    @Test func `a concurrent body leaves the main actor`() async throws {
        try await World.runThreaded { @MainActor world in
            let isHere = await world.central.run { @concurrent in world.isHere }
            #expect(isHere)
        }
    }
}

@Suite("Work on a manager's executor that belongs to an actor", .timeLimit(.minutes(60)))
struct RunningWarningTests {
    private let recorder = LogRecorder()

    private var central: CentralManager {
        CentralManager(
            backend: ScriptedCentralBackend(executor: TestExecutor(), features: []),
            configuration: .init(logger: recorder.logger))
    }

    @Test func `is named in the log`() async {
        await central.run { @MainActor in }
        #expect(
            recorder.texts == [
                "the body of run belongs to an actor and runs there: begin it with '@concurrent in'"
            ])
    }

    @Test func `is not, where it belongs to none`() async {
        await central.run {}
        #expect(recorder.texts == [])
    }
}

extension World {
    /// Whether the caller runs on the manager's executor.
    fileprivate var isHere: Bool { executor.isIsolatingCurrentContext() == true }

    fileprivate func isHereInTask() async -> Bool { isHere }
}

extension CentralManager {
    /// Runs a body as the manager's own code would.
    fileprivate func runFromInside(_ body: @Sendable () async -> Bool) async -> Bool {
        await run { await body() }
    }
}
