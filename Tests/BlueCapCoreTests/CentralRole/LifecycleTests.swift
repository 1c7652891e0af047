// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapCore

@Suite("Ends of a manager", .timeLimit(.minutes(60)))
struct LifecycleTests {
    @Test
    func `invalidating ends everything, disconnects, ends the backend once, and later calls throw`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let states = Recorder(world.central.states(), on: world)
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let scan = Recorder(world.central.scan(), on: world)
            let values = Recorder(
                try await NotifyingTests.listen(world, level, onDisconnect: .resubscribe), on: world)
            let read = await world.start { try await level.read() }
            let connecting = await world.meet(.two)
            let connect = await world.start { try await connecting.connect() }
            let end = await world.start { await world.central.invalidate() }
            let again = await world.start { await world.central.invalidate() }
            #expect(scan.error as? CentralManagerError == .invalidated)
            #expect(values.error as? CharacteristicError == .invalidated)
            #expect(read.error as? CharacteristicError == .invalidated)
            #expect(connect.error as? PeripheralError == .forcedDisconnect)
            #expect(!end.isDone)
            #expect(await world.backend.count(.invalidate) == 0)
            await world.emit(.disconnected(.one, nil))
            await world.emit(.connectFailed(.two, .disconnected))
            #expect(end.isDone)
            #expect(again.isDone)
            #expect(await world.backend.count(.invalidate) == 1)
            #expect(states.hasEnded)
            #expect(events.all == [.forcedDisconnect])
            #expect(events.hasEnded)
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(world.central.state == .poweredOn)
            let late = await world.start { try await peripheral.connect() }
            #expect(late.error as? PeripheralError == .invalidated)
            let lateRead = await world.start { try await level.read() }
            #expect(lateRead.error as? CharacteristicError == .invalidated)
        }
    }

    @Test func `invalidating while a listener waits on a link that is being ended ends the listener`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let call = await world.start { try await level.notifications() }
            let end = await world.start { await peripheral.disconnect() }
            let invalidation = await world.start { await world.central.invalidate() }
            await world.emit(.disconnected(.one, nil))
            #expect(call.error is CharacteristicError)
            #expect(end.isDone)
            #expect(invalidation.isDone)
        }
    }

    @Test func `a reset ends everything and leaves a manager that works`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let read = await world.start { try await level.read() }
            let reset = await world.start { await world.central.reset() }
            #expect(read.error as? CharacteristicError == .invalidated)
            await world.emit(.disconnected(.one, nil))
            #expect(reset.isDone)
            #expect(world.central.peripherals.isEmpty)
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            await world.sight(.two)
            #expect(scan.all.count == 1)
            #expect(await world.backend.count(.invalidate) == 0)
        }
    }

    @Test
    func `a reset and the end tell the radio to end a scan where one runs, and say nothing of scans where none does`()
        async throws
    {
        try await World.run { world in
            let first = await world.start { await world.central.reset() }
            #expect(first.isDone)
            #expect(await world.backend.scans.isEmpty)
            let scan = Recorder(world.central.scan(), on: world)
            await world.idle()
            #expect(await world.backend.scans.count == 1)
            let second = await world.start { await world.central.reset() }
            #expect(second.isDone)
            #expect(scan.hasEnded)
            #expect(await world.backend.scans.count == 2)
            let end = await world.start { await world.central.invalidate() }
            #expect(end.isDone)
            #expect(await world.backend.scans.count == 2)
        }
    }

    @Test func `terminating in a cancelled task still waits until the peripheral is disconnected`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let end = await world.start { await peripheral.terminate() }
            await world.cancel(end)
            #expect(!end.isDone)
            await world.emit(.disconnected(.one, nil))
            #expect(end.isDone)
            #expect(world.central.peripherals.isEmpty)
        }
    }

    @Test
    func `terminating a peripheral that somebody connects meanwhile fails that call and forgets the peripheral`()
        async throws
    {
        try await World.run { world in
            let peripheral = try await world.connect()
            let end = await world.start { await peripheral.terminate() }
            let call = await world.start { try await peripheral.connect() }
            await world.emit(.disconnected(.one, nil))
            #expect(call.error as? PeripheralError == .forcedDisconnect)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(end.isDone)
            #expect(world.central.peripherals.isEmpty)
        }
    }

    @Test func `a released manager ends the backend once, and the streams of handles that are held`() async throws {
        let executor = TestExecutor()
        let backend = ScriptedCentralBackend(executor: executor, features: .connectionRSSI)
        try await withTaskExecutorPreference(executor) {
            var central: CentralManager? = CentralManager(
                backend: backend, configuration: .init(clock: ManualClock().clock))
            await executor.idle()
            await backend.emit(.stateChanged(.poweredOn, nil))
            let held = await central?.meet(.one)
            let peripheral = try #require(held)
            let connect = Call(on: executor) { try await peripheral.connect() }
            await executor.idle()
            await backend.emit(.connected(.one, maximumTransmissionUnit: nil))
            await executor.idle()
            #expect(connect.isDone)
            let events = Call(on: executor) { for await _ in peripheral.connectionEvents() {} }
            let strengths = Call(on: executor) { for await _ in peripheral.rssiUpdates() {} }
            await executor.idle()
            // The manager goes before it could begin this one.
            let unbegun = peripheral.rssiUpdates()
            weak let released = central
            central = nil
            await executor.idle()
            #expect(released == nil)
            #expect(events.isDone)
            #expect(strengths.isDone)
            let more = Call(on: executor) { for await _ in unbegun {} }
            await executor.idle()
            #expect(more.isDone)
            #expect(await backend.count(.invalidate) == 1)
            let late = Call(on: executor) { try await peripheral.connect() }
            await executor.idle()
            #expect(late.error as? PeripheralError == .invalidated)
        }
    }
}
