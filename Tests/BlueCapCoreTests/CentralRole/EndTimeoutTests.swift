// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("A call that waits for an end", .timeLimit(.minutes(60)))
struct EndTimeoutTests {
    @Test func `disconnecting returns false at its timeout, and the end goes on`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let end = await world.start { await peripheral.disconnect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(4))
            #expect(!end.isDone)
            await world.advance(by: .seconds(1))
            #expect(try end.get() == false)
            #expect(peripheral.state == .disconnecting)
            await world.emit(.disconnected(.one, nil))
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test func `disconnecting returns true when the link is down in time`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let end = await world.start { await peripheral.disconnect(timeout: .seconds(5)) }
            await world.emit(.disconnected(.one, nil))
            #expect(try end.get() == true)
            #expect(world.clock.nextDeadline == nil)
        }
    }

    @Test func `terminating returns false at its timeout, and the manager still knows the peripheral`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let end = await world.start { await peripheral.terminate(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(try end.get() == false)
            #expect(world.central.peripherals == [peripheral])
        }
    }

    @Test func `a reset returns false when a link is not down in time, and can be repeated`() async throws {
        try await World.run { world in
            _ = try await world.connect()
            let end = await world.start { await world.central.reset(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(try end.get() == false)
            let again = await world.start { await world.central.reset(timeout: .seconds(5)) }
            await world.emit(.disconnected(.one, nil))
            #expect(try again.get() == true)
            #expect(world.central.peripherals.isEmpty)
        }
    }

    /// The ends of a manager that a program may not give a timeout.
    enum ManagerEnd: CaseIterable {
        case disconnectAll, removeAll, removeOne, terminate, reset, invalidate

        func run(_ central: CentralManager) async -> Bool {
            switch self {
            case .disconnectAll: await central.disconnectAllPeripherals()
            case .removeAll: await central.removeAllPeripherals()
            case .removeOne: await central.removePeripheral(withIdentifier: .one)
            case .terminate: await central.peripheral(withIdentifier: .one)?.terminate() ?? true
            case .reset: await central.reset()
            case .invalidate: await central.invalidate().isEmpty
            }
        }
    }

    @Test(arguments: ManagerEnd.allCases, [true, false])
    func `an end without a timeout that the platform never answers returns false after 5 s, in a cancelled task too`(
        end: ManagerEnd, isCancelled: Bool
    ) async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            _ = await world.start { try await level.read() }
            let call = await world.start { await end.run(world.central) }
            if isCancelled { await world.cancel(call) }
            await world.advance(by: .milliseconds(4999))
            #expect(!call.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(try call.get() == false)
        }
    }

    @Test func `the end of a manager returns what it left, and ends the backend and all who wait`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let read = await world.start { try await level.read() }
            let attempt = await world.meet(.two)
            let connect = await world.start { try await attempt.connect() }
            let gone = await world.meet(.three)
            let disconnect = await world.start { await peripheral.disconnect() }
            let patient = await world.start { await world.central.invalidate(timeout: nil) }
            let first = await world.start { await world.central.invalidate(timeout: .seconds(2)) }
            let states = Recorder(world.central.states(), on: world)
            await world.advance(by: .seconds(2))
            #expect(try Set(first.get()) == [peripheral, attempt])
            // A call with a shorter timeout than the one that ends the manager does not end it.
            #expect(await world.backend.count(.invalidate) == 0)
            #expect(!patient.isDone && !disconnect.isDone && !states.hasEnded)
            await world.emit(.disconnected(.one, nil))
            await world.emit(.connectFailed(.two, .disconnected))
            #expect(try patient.get() == [])
            #expect(disconnect.isDone && read.isDone && connect.isDone && states.hasEnded)
            #expect(!world.central.peripherals.contains(gone))
        }
    }

    @Test func `who waits for an end that the manager has given up is answered with it`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            let disconnect = await world.start { await peripheral.disconnect() }
            let end = await world.start { await world.central.invalidate() }
            let patient = await world.start { await world.central.invalidate(timeout: nil) }
            let termination = await world.start { await peripheral.terminate(timeout: nil) }
            await world.advance(by: .seconds(5))
            #expect(try end.get() == [peripheral])
            #expect(try patient.get() == [peripheral])
            #expect(try disconnect.get() == false)
            #expect(try termination.get() == false)
            #expect(await world.backend.count(.invalidate) == 1)
            #expect(world.clock.timerCount == 0)
            let late = await world.start { await world.central.invalidate(timeout: nil) }
            #expect(try late.get() == [peripheral])
            let lateEnd = await world.start { await peripheral.disconnect() }
            #expect(try lateEnd.get() == false)
            await world.emit(.disconnected(.one, nil))
            #expect(await world.backend.count(.invalidate) == 1)
        }
    }

    @Test func `a retrieval that the platform does not answer in time throws`() async throws {
        try await World.run { world in
            let call = await world.start {
                try await world.central.retrievePeripherals(withIdentifiers: [.one], timeout: .seconds(5))
            }
            await world.advance(by: .seconds(5))
            #expect(call.error as? CentralManagerError == .retrievalTimeout)
        }
    }

    @Test func `a reset of the peripheral role returns false at its timeout`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.add(MutableService(uuid: "180F"))
            await world.backend.answerAll(false)
            let reset = await world.start { await world.manager.reset(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(try reset.get() == false)
        }
    }

    @Test(arguments: [true, false])
    func `the end of a manager of the peripheral role that the platform never answers returns what it left after 5 s`(
        isCancelled: Bool
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let advertising = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(advertising.isDone)
            let service = try #require(characteristic.service)
            let end = await world.start { await world.manager.invalidate() }
            let patient = await world.start { await world.manager.invalidate(timeout: nil) }
            if isCancelled { await world.cancel(end) }
            await world.advance(by: .milliseconds(4999))
            #expect(!end.isDone)
            await world.advance(by: .milliseconds(1))
            let left: [RegistrationFailure.Subject] = [
                .service(service), .advertisement(Advertisement(localName: "a")),
            ]
            #expect(try end.get() == left)
            #expect(try patient.get() == left)
            #expect(await world.backend.invalidationCount == 1)
            #expect(world.clock.timerCount == 0)
            let late = await world.start { await world.manager.invalidate() }
            #expect(try late.get() == left)
        }
    }

    @Test func `a reset of the peripheral role without a timeout returns false after 5 s`() async throws {
        try await PeripheralWorld.run { world in
            _ = try await world.characteristic()
            let reset = await world.start { await world.manager.reset() }
            await world.advance(by: .seconds(5))
            #expect(try reset.get() == false)
        }
    }
}
