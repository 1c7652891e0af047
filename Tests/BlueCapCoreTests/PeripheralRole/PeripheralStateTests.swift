// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Logging
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: state and ends", .timeLimit(.minutes(60)))
struct PeripheralStateTests {
    @Test func `each consumer gets the current state first, then every change once`() async throws {
        try await PeripheralWorld.run(state: nil) { world in
            let first = await world.recorder(world.manager.states())
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.emit(.stateChanged(.poweredOff, nil))
            let second = await world.recorder(world.manager.states())
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(first.all == [.unknown, .poweredOff, .poweredOn])
            #expect(second.all == [.poweredOff, .poweredOn])
            #expect(world.manager.isPoweredOn)
        }
    }

    @Test
    func `waiting for power ends with the power, with the time given, and where waiting will not help`() async throws {
        try await PeripheralWorld.run(state: .poweredOff) { world in
            let timed = await world.start { try await world.manager.whenPoweredOn(timeout: .seconds(5)) }
            let patient = await world.start { try await world.manager.whenPoweredOn() }
            await world.advance(by: .seconds(5))
            #expect(timed.error as? PeripheralManagerError == .powerOnTimeout)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(patient.value != nil)
            await world.emit(.stateChanged(.unsupported, .refused))
            let hopeless = await world.start { try await world.manager.whenPoweredOn() }
            #expect(hopeless.error as? PeripheralManagerError == .backend(.refused))
        }
    }

    @Test func `without power nothing is added or advertised`() async throws {
        try await PeripheralWorld.run(state: .poweredOff) { world in
            let service = MutableService(uuid: "180F")
            let add = await world.start { try await world.manager.add(service) }
            #expect(add.error as? PeripheralManagerError == .poweredOff)
            #expect(!service.isAdded)
            let start = await world.start { try await world.manager.startAdvertising("a") }
            #expect(start.error as? PeripheralManagerError == .poweredOff)
            #expect(await world.backend.operations.isEmpty)
        }
    }

    @Test(arguments: [
        (ManagerState.poweredOff, nil, PeripheralManagerError.poweredOff),
        (.resetting, BackendFailure.refused, .backend(.refused)), (.unauthorized, nil, .backend(.unauthorized)),
    ])
    func `any state but powered on ends the calls that wait, with the platform's reason if it gave one`(
        _ state: ManagerState, _ failure: BackendFailure?, _ error: PeripheralManagerError
    ) async throws {
        try await PeripheralWorld.run { world in
            let old = MutableService(uuid: "1800")
            try await world.add(old)
            let service = MutableService(uuid: "180F")
            let add = await world.start { try await world.manager.add(service) }
            let start = await world.start { try await world.manager.startAdvertising("a") }
            let remove = await world.start { try await world.manager.remove(old) }
            await world.emit(.stateChanged(state, failure))
            #expect(add.error as? PeripheralManagerError == error)
            #expect(start.error as? PeripheralManagerError == error)
            #expect(remove.error as? PeripheralManagerError == error)
            #expect(!service.isAdded)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test
    func `invalidating ends calls, streams and open requests, ends the backend once, and later calls throw`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let states = await world.recorder(world.manager.states())
            let events = await world.recorder(characteristic.subscriptions())
            let requests = await world.recorder(characteristic.writeRequests())
            let failures = await world.recorder(world.manager.registrationFailures())
            try await world.subscribe(to: characteristic)
            let access = try await world.write([1], to: characteristic)
            let waiting = await world.start { try await world.manager.startAdvertising("a") }
            let ends = [
                await world.start { await world.manager.invalidate() },
                await world.start { await world.manager.invalidate() },
            ]
            while await !world.backend.pending.isEmpty { await world.answer() }
            #expect(ends.map(\.isDone) == [true, true])
            #expect(waiting.error as? PeripheralManagerError == .invalidated)
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            #expect(states.hasEnded)
            #expect(events.all.map(\.kind) == [.subscribed, .unsubscribed])
            #expect(events.hasEnded)
            #expect(requests.hasEnded)
            #expect(failures.hasEnded)
            #expect(world.manager.services.isEmpty)
            #expect(await world.backend.invalidationCount == 1)
            #expect(throws: MutableCharacteristicError.invalidated) { try characteristic.update([1]) }
            let late = await world.start { try await world.manager.add(MutableService(uuid: "180F")) }
            #expect(late.error as? PeripheralManagerError == .invalidated)
            #expect(world.clock.timerCount == 0)
            #expect(requests.all.first?.accept() == false)
        }
    }

    @Test func `invalidating returns when the platform has removed all, in a cancelled task too`() async throws {
        try await PeripheralWorld.run { world in
            _ = try await world.characteristic()
            let advertising = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(advertising.isDone)
            let end = await world.start { await world.manager.invalidate() }
            await world.cancel(end)
            let late = await world.start { try await world.manager.startAdvertising("b") }
            #expect(late.error as? PeripheralManagerError == .invalidated)
            #expect(world.manager.services.isEmpty)
            await world.answer()
            #expect(!end.isDone)
            #expect(await world.backend.invalidationCount == 0)
            await world.answer()
            #expect(end.isDone)
            #expect(!world.manager.isAdvertising)
            #expect(await world.backend.invalidationCount == 1)
            #expect(Set(await world.backend.summary(from: 2)) == ["stop", "remove"])
        }
    }

    @Test func `resetting returns when the platform has removed all, in a cancelled task too`() async throws {
        try await PeripheralWorld.run { world in
            _ = try await world.characteristic()
            let end = await world.start { await world.manager.reset() }
            await world.cancel(end)
            #expect(!end.isDone)
            await world.answer()
            #expect(end.value == true)
            #expect(world.manager.services.isEmpty)
        }
    }

    @Test(arguments: [true, false])
    func `invalidating waits for nothing while the radio is off`(_ isOffAlready: Bool) async throws {
        try await PeripheralWorld.run { world in
            _ = try await world.characteristic()
            if isOffAlready { await world.emit(.stateChanged(.poweredOff, nil)) }
            let end = await world.start { await world.manager.invalidate() }
            if !isOffAlready {
                #expect(!end.isDone)
                await world.emit(.stateChanged(.poweredOff, nil))
            }
            #expect(end.isDone)
            #expect(await world.backend.invalidationCount == 1)
        }
    }

    @Test func `a reset takes everything back and leaves a manager that works`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let characteristic = MutableCharacteristic(uuid: "2A19", value: [7])
            let service = MutableService(uuid: "180F")
            service.characteristics = [characteristic]
            try await world.manager.add(service)
            try await world.manager.startAdvertising("a")
            await world.manager.reset()
            #expect(await world.backend.summary() == ["add 180F", "advertise a", "stop", "remove"])
            #expect(world.manager.services.isEmpty)
            #expect(!world.manager.isAdvertising)
            #expect(characteristic.value == [7])
            try await world.manager.add(service)
            #expect(world.manager.services == [service])
            #expect(await world.backend.invalidationCount == 0)
        }
    }

    @Test func `a reset ends the calls that wait`() async throws {
        try await PeripheralWorld.run { world in
            let add = await world.start { try await world.manager.add(MutableService(uuid: "180F")) }
            let reset = await world.start { await world.manager.reset() }
            #expect(add.error as? PeripheralManagerError == .invalidated)
            #expect(!reset.isDone)
            await world.answer()
            await world.answer()
            #expect(reset.isDone)
            #expect(await world.backend.summary() == ["add 180F", "remove"])
        }
    }

    @Test
    func `a released manager ends the backend and the streams of the handles that were added to it`() async throws {
        let executor = TestExecutor()
        let backend = ScriptedPeripheralBackend(executor: executor, features: [], accessTimeLimit: nil)
        try await withTaskExecutorPreference(executor) {
            var manager: PeripheralManager? = PeripheralManager(
                backend: backend, configuration: .init(clock: ManualClock().clock))
            await executor.idle()
            await backend.emit(.stateChanged(.poweredOn, nil))
            await backend.answerAll(true)
            let characteristic = MutableCharacteristic(uuid: "2A19")
            let service = MutableService(uuid: "180F")
            service.characteristics = [characteristic]
            try await manager?.add(service)
            let id = try #require(characteristic.registration?.id)
            let requests = Recorder(characteristic.writeRequests(), on: executor)
            await executor.idle()
            _ = await backend.access(id, .write([1], offset: 0, .request), nil)
            try characteristic.update([1])
            await executor.idle()
            weak let released = manager
            manager = nil
            await executor.idle()
            #expect(released == nil)
            #expect(requests.hasEnded)
            #expect(requests.all.first?.accept() == false)
            #expect(await backend.invalidationCount == 1)
            #expect(!service.isAdded)
            #expect(throws: MutableCharacteristicError.invalidated) { try characteristic.update([1]) }
        }
    }

    @Test(arguments: [true, false])
    func `a manager that is released while it advertises warns`(_ advertises: Bool) async throws {
        let (executor, clock, recorder) = (TestExecutor(), ManualClock(), LogRecorder())
        let backend = ScriptedPeripheralBackend(executor: executor, features: [], accessTimeLimit: nil)
        await withTaskExecutorPreference(executor) {
            await backend.answerAll(true)
            var manager: PeripheralManager? = PeripheralManager(
                backend: backend, configuration: .init(clock: clock.clock, logger: recorder.logger))
            await executor.idle()
            await backend.emit(.stateChanged(.poweredOn, nil))
            if advertises { try? await manager?.startAdvertising("Strap") }
            weak let released = manager
            manager = nil
            await executor.idle()
            #expect(released == nil)
        }
        let lines = recorder.texts
        #expect(lines.map { $0.contains("released while it advertises") } == (advertises ? [true] : []))
    }
}
