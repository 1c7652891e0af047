// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCore

@Suite("A loss that a request finds out first", .timeLimit(.minutes(60)))
struct MissedLossTests {
    @Test func `a link that the platform has no more for a request ends as a loss`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.idle()
            let call = await world.start { try await level.read() }
            await world.refuse(.read(.one, Battery.level), .disconnected)
            #expect(call.error as? CharacteristicError == .disconnected)
            #expect(!peripheral.isConnected)
            #expect(await world.backend.linkCalls.last == .disconnect(.one))
            await world.lose(peripheral)
            #expect(events.all == [.disconnected(.disconnected)])
        }
    }

    @Test func `a scope connects again when its body hears of the loss before the platform reports it`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let visits = Locked(0)
            let policy = ReconnectPolicy(
                maximumTimeouts: nil, maximumDisconnections: nil, backoff: .constant(.seconds(1)))
            let call = await world.start {
                try await peripheral.stayConnected(policy) { peripheral in
                    let visit = visits.withLock {
                        $0 += 1
                        return $0
                    }
                    if visit == 1 { try await peripheral.discoverServices() }
                    return visit
                }
            }
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.refuse(.discoverServices(.one, nil), .disconnected)
            #expect(!call.isDone)
            await world.lose(peripheral)
            await world.advance(by: .seconds(1))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.lose(peripheral)
            #expect(call.value == 2)
        }
    }

    @Test func `a scope connects again when the link is gone before its body begins`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let policy = ReconnectPolicy(backoff: .constant(.seconds(1)))
            let call = await world.start {
                try await peripheral.stayConnected(policy, discovering: nil) { _ in 7 }
            }
            await world.backend.emit(.connected(.one, maximumTransmissionUnit: nil), .disconnected(.one, nil))
            await world.idle()
            await world.advance(by: .seconds(1))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.answer(.discoverServices(.one, nil), .services([]))
            await world.lose(peripheral)
            #expect(call.value == 7)
        }
    }

    @Test func `an answer over an earlier link does not end a later one`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let call = await world.start { try await level.read() }
            let request = await world.backend.take(.read(.one, Battery.level))
            await world.lose(peripheral)
            #expect(call.error as? CharacteristicError == .disconnected)
            try await world.connect(peripheral)
            await world.emit(.reply(request, .failure(.disconnected)))
            #expect(peripheral.isConnected)
        }
    }
}
