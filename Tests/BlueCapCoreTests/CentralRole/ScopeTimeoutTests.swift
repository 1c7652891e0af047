// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite("Timeouts of a scope", .timeLimit(.minutes(60)))
struct ScopeTimeoutTests {
    @Test func `after a loss a timeout begins when the peripheral is there again`() async throws {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = await world.meet()
            let call = await world.start {
                try await peripheral.stayConnected(ReconnectPolicy(maximumTimeouts: 0), timeout: .seconds(5)) { _ in
                    for await _ in peripheral.connectionEvents() {}
                }
            }
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.lose(peripheral)
            await world.advance(by: .seconds(3600))
            #expect(await world.backend.linkCalls.last == .connect(.one))
            await world.emit(.peripheralHeard(.one))
            await world.advance(by: .milliseconds(4999))
            #expect(await world.backend.linkCalls.last == .connect(.one))
            await world.advance(by: .milliseconds(1))
            #expect(await world.backend.linkCalls.last == .disconnect(.one))
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(call.error as? PeripheralError == .connectionTimeout)
            #expect(await world.central.remains.isEmpty)
        }
    }

    @Test func `a timeout counts for the scope that has it, and the others' attempt goes on`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let policy = ReconnectPolicy(maximumTimeouts: 1, backoff: .constant(.seconds(1)))
            let short = await world.start { try await peripheral.stayConnected(policy, timeout: .seconds(5)) { _ in } }
            let long = await world.start { try await peripheral.stayConnected(policy) { _ in 7 } }
            await world.advance(by: .seconds(5))
            #expect(!short.isDone, "the policy allows another attempt")
            await world.advance(by: .seconds(1))
            await world.advance(by: .seconds(5))
            #expect(short.error as? PeripheralError == .connectionTimeout)
            #expect(await world.backend.linkCalls == [.connect(.one)])
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.lose(peripheral)
            #expect(long.value == 7)
        }
    }
}
