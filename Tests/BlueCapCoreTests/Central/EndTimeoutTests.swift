// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("A call that waits for an end", .timeLimit(.minutes(5)))
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
}
