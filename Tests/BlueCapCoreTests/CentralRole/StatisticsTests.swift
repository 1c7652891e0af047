// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite("Statistics of connections", .timeLimit(.minutes(60)))
struct StatisticsTests {
    @Test func `durations and dates are those of the clock, over several connections`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            await world.advance(by: .seconds(10))
            try await world.connect(peripheral)
            await world.advance(by: .seconds(5))
            var statistics = peripheral.statistics
            #expect(statistics.connectedAt == Timestamp(sinceEpoch: .seconds(10)))
            #expect(statistics.disconnectedAt == nil)
            #expect(statistics.connectedDuration == .seconds(5))
            #expect(statistics.finishedConnectedDuration == .zero)
            #expect(statistics.cumulativeConnectedDuration == .seconds(5))
            #expect(statistics.cumulativeDisconnectedDuration == .seconds(10))
            await world.lose(peripheral)
            await world.advance(by: .seconds(20))
            statistics = peripheral.statistics
            #expect(statistics.disconnectedAt == Timestamp(sinceEpoch: .seconds(15)))
            #expect(statistics.connectedDuration == .seconds(5))
            #expect(statistics.finishedConnectedDuration == .seconds(5))
            #expect(statistics.cumulativeDisconnectedDuration == .seconds(30))
            try await world.connect(peripheral)
            await world.advance(by: .seconds(2))
            statistics = peripheral.statistics
            #expect(statistics.connectedAt == Timestamp(sinceEpoch: .seconds(35)))
            #expect(statistics.connectedDuration == .seconds(2))
            #expect(statistics.finishedConnectedDuration == .seconds(5))
            #expect(statistics.cumulativeConnectedDuration == .seconds(7))
            #expect(statistics.cumulativeDisconnectedDuration == .seconds(30))
        }
    }

    @Test func `attempts, connections, timeouts and losses are counted apart`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let late = await world.start { try await peripheral.connect(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(late.isDone)
            try await world.connect(peripheral)
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let end = await world.start { await peripheral.disconnect() }
            await world.lose(peripheral)
            #expect(end.isDone)
            let statistics = peripheral.statistics
            #expect(statistics.attemptCount == 3)
            #expect(statistics.connectionCount == 2)
            #expect("\(statistics)" == "3 attempts, 2 connections, 1 timeout, 1 disconnection")
            #expect(statistics.timeoutCount == 1)
            #expect(statistics.disconnectionCount == 1)
        }
    }

    @Test func `a service discovery that times out counts as a lost connection, once`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.discoverServices(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(call.error as? PeripheralError == .serviceDiscoveryTimeout)
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.disconnected(.one, nil))
            #expect(peripheral.statistics.disconnectionCount == 1)
            #expect(peripheral.statistics.timeoutCount == 0)
            #expect(events.all == [.disconnected(.serviceDiscoveryTimeout)])
        }
    }

    @Test
    func `a service discovery that times out is told as that also when the radio goes off meanwhile`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.discoverServices(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(call.isDone)
            #expect(peripheral.statistics.disconnectionCount == 1)
            #expect(events.all == [.disconnected(.serviceDiscoveryTimeout)])
        }
    }
}
