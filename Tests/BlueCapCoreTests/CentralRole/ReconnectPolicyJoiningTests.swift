// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Joining a reconnect policy", .timeLimit(.minutes(60)))
struct ReconnectPolicyJoiningTests {
    /// A connection that was lost, under a policy that waits 3 s before each attempt.
    private static func lost(in world: World) async throws -> Peripheral {
        let peripheral = try await world.connect()
        peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
        await world.lose(peripheral)
        return peripheral
    }

    @Test func `a cancelled caller leaves the policy the attempt that it made on its own`() async throws {
        try await World.run { world in
            let peripheral = try await Self.lost(in: world)
            await world.advance(by: .seconds(3))
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(1))
            await world.cancel(call)
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(peripheral.isConnected)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test
    func `an attempt that its last caller leaves to the policy ends at the timeout, counted from there`() async throws {
        try await World.run { world in
            let peripheral = try await Self.lost(in: world)
            await world.advance(by: .seconds(3))
            let first = await world.start { try await peripheral.connect(timeout: .seconds(9)) }
            let second = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(1))
            await world.cancel(second)
            await world.cancel(first)
            await world.advance(by: .milliseconds(4999))
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.advance(by: .milliseconds(1))
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 3)
        }
    }

    @Test
    func `a caller who hurries the policy's next attempt and is cancelled leaves it to the policy`() async throws {
        try await World.run { world in
            let peripheral = try await Self.lost(in: world)
            let call = await world.start { try await peripheral.connect() }
            #expect(await world.backend.count(.connect(.one)) == 2)
            await world.cancel(call)
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 3)
        }
    }

    @Test
    func `a caller who joins while the policy's attempt is taken back and is cancelled leaves the policy its next one`()
        async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(call.value != nil)
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            await world.lose(peripheral)
            await world.advance(by: .seconds(8))
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            let late = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.cancel(late)
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 3)
        }
    }

    @Test func `a cancelled caller leaves the attempt that the policy makes when the radio is back`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init()
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.emit(.stateChanged(.poweredOn, nil))
            let call = await world.start { try await peripheral.connect() }
            await world.cancel(call)
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(peripheral.isConnected)
        }
    }

    @Test func `once the policy's connection stands, a later attempt is its callers' alone again`() async throws {
        try await World.run { world in
            let peripheral = try await Self.lost(in: world)
            await world.advance(by: .seconds(3))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            let end = await world.start { await peripheral.disconnect() }
            await world.emit(.disconnected(.one, nil))
            #expect(end.isDone)
            let call = await world.start { try await peripheral.connect() }
            await world.cancel(call)
            #expect(await world.backend.count(.disconnect(.one)) == 2)
        }
    }
}
