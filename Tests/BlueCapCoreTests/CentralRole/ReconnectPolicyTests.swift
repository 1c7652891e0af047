// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Reconnect policy", .timeLimit(.minutes(60)))
struct ReconnectPolicyTests {
    @Test func `attempts that time out are repeated for their caller, and then given up`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumTimeouts: 2, backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            for attempt in 1...3 {
                #expect(await world.backend.count(.connect(.one)) == attempt)
                await world.advance(by: .milliseconds(4999))
                #expect(await world.backend.count(.disconnect(.one)) == attempt - 1)
                await world.advance(by: .milliseconds(1))
                #expect(await world.backend.count(.disconnect(.one)) == attempt)
                await world.emit(.connectFailed(.one, .disconnected))
                if attempt == 3 { break }
                #expect(!call.isDone)
                await world.advance(by: .milliseconds(2999))
                #expect(await world.backend.count(.connect(.one)) == attempt)
                await world.advance(by: .milliseconds(1))
            }
            #expect(call.error as? PeripheralError == .connectionTimeout)
            #expect(events.all == [.timedOut, .timedOut, .timedOut, .gaveUp])
            #expect(peripheral.statistics.timeoutCount == 3)
            #expect(peripheral.statistics.attemptCount == 3)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test
    func `attempts that the platform fails are repeated for their caller, who gets the last reason`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumTimeouts: 1, backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(4))
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 2)
            await world.advance(by: .seconds(4))
            #expect(!call.isDone, "each attempt has the whole timeout")
            let last = BackendFailure(name: "last", message: "")
            await world.emit(.connectFailed(.one, .backend(last)))
            #expect(call.error as? PeripheralError == .backend(last))
            #expect(events.all == [.disconnected(.disconnected), .disconnected(.backend(last)), .gaveUp])
        }
    }

    @Test func `a lost connection is made anew until it was lost too often`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(maximumDisconnections: 2, backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            for _ in 0..<2 {
                await world.lose(peripheral)
                await world.advance(by: .seconds(3))
                await world.emit(.connected(.one, maximumTransmissionUnit: nil))
                #expect(peripheral.isConnected)
            }
            await world.lose(peripheral)
            await world.advance(by: .seconds(60))
            let loss = ConnectionEvent.disconnected(.disconnected)
            #expect(events.all == [loss, .connected, loss, .connected, loss, .gaveUp])
            #expect(peripheral.statistics.disconnectionCount == 3)
            #expect(await world.backend.count(.connect(.one)) == 3)
        }
    }

    @Test func `a device that is gone is given up when the longest absence is over, counted from the loss`()
        async throws
    {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)), maximumAbsence: .seconds(60))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            await world.advance(by: .milliseconds(59_999))
            #expect(events.all == [.disconnected(.disconnected)])
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.advance(by: .milliseconds(1))
            #expect(events.all == [.disconnected(.disconnected), .gaveUp])
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(3600))
            #expect(peripheral.state == .disconnected)
            #expect(await world.backend.count(.connect(.one)) == 2)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `the time of an absence goes on over attempts and the radio, and begins again with the next loss`()
        async throws
    {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(
                maximumTimeouts: nil, maximumDisconnections: nil, backoff: .constant(.seconds(3)),
                maximumAbsence: .seconds(60))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            await world.advance(by: .seconds(40))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.lose(peripheral)
            await world.advance(by: .seconds(20))
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(10))
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.advance(by: .seconds(20))
            await world.emit(.stateChanged(.poweredOn, nil))
            await world.advance(by: .milliseconds(9999))
            #expect(!events.all.contains(.gaveUp))
            await world.advance(by: .milliseconds(1))
            #expect(events.all.last == .gaveUp)
        }
    }

    @Test func `a call without a timeout throws when the longest absence is over, counted from its attempt`()
        async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumAbsence: .seconds(60))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect() }
            await world.advance(by: .milliseconds(59_999))
            #expect(!call.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(call.error as? PeripheralError == .connectionTimeout)
            #expect(events.all == [.gaveUp])
        }
    }

    @Test(arguments: [20, 60])
    func `a longest absence that is set while the peripheral is away counts from the loss`(seconds: Int) async throws {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            await world.advance(by: .seconds(10))
            // A longer one before, and a shorter one after it, are not the last word.
            for bound in [3600, 5000, seconds] {
                peripheral.reconnectPolicy.maximumAbsence = .seconds(bound)
                await world.idle()
            }
            await world.advance(by: .seconds(seconds - 10) - .milliseconds(1))
            #expect(events.all == [.disconnected(.disconnected)])
            await world.advance(by: .milliseconds(1))
            #expect(events.all == [.disconnected(.disconnected), .gaveUp])
        }
    }

    @Test func `a longest absence that is over when it is set ends the attempt at once`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init()
            let call = await world.start { try await peripheral.connect() }
            await world.advance(by: .seconds(100))
            #expect(!call.isDone)
            peripheral.reconnectPolicy.maximumAbsence = .seconds(60)
            await world.advance(by: .zero)
            #expect(call.error as? PeripheralError == .connectionTimeout)
        }
    }

    @Test func `the longest absence of the policy counts again once the last scope has left an attempt to a call`()
        async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumAbsence: .seconds(60))
            let scope = await world.start {
                try await peripheral.stayConnected { _ in for await _ in peripheral.connectionEvents() {} }
            }
            let call = await world.start { try await peripheral.connect() }
            await world.advance(by: .seconds(10))
            await world.cancel(scope)
            #expect(scope.isDone)
            await world.advance(by: .seconds(50) - .milliseconds(1))
            #expect(!call.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(call.error as? PeripheralError == .connectionTimeout)
        }
    }

    @Test(arguments: [false, true])
    func `a forced end, and a policy without a bound, leave nothing of the time of an absence`(isForced: Bool)
        async throws
    {
        try await World.run { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(maximumAbsence: .seconds(60))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            if isForced {
                await peripheral.disconnect()
                #expect(world.clock.timerCount == 0)
            } else {
                peripheral.reconnectPolicy.maximumAbsence = nil
            }
            await world.advance(by: .seconds(3600))
            #expect(!events.all.contains(.gaveUp))
        }
    }

    @Test
    func `an exponential backoff doubles from attempt to attempt up to its maximum, and starts anew after a success`()
        async throws
    {
        try await World.run { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(
                maximumTimeouts: nil, maximumDisconnections: nil,
                backoff: .exponential(initial: .seconds(1), maximum: .seconds(5)))
            await world.lose(peripheral)
            var attempts = 1
            for delay in [1, 1, 2, 4, 5, 5] {
                await world.advance(by: .seconds(delay) - .milliseconds(1))
                #expect(await world.backend.count(.connect(.one)) == attempts)
                await world.advance(by: .milliseconds(1))
                attempts += 1
                #expect(await world.backend.count(.connect(.one)) == attempts)
                await world.emit(.connectFailed(.one, .disconnected))
            }
            await world.advance(by: .seconds(5))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.lose(peripheral)
            await world.advance(by: .seconds(1))
            #expect(await world.backend.count(.connect(.one)) == attempts + 2)
        }
    }

    @Test func `the delays of a backoff neither overflow nor go below the first`() {
        let backoff = ReconnectPolicy.Backoff.exponential(initial: .seconds(1), maximum: .seconds(60))
        #expect(
            [0, 1, 2, 3, 6, 7, 8, 1_000_000].map { backoff.delay(beforeAttempt: $0) }
                == [1, 1, 2, 4, 32, 60, 60, 60].map { .seconds($0) })
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
    func `a backoff of any times has a delay for any number`(_ time: Duration) {
        let backoff = ReconnectPolicy.Backoff.exponential(initial: time, maximum: .seconds(60))
        let longest: Duration = time > .zero ? .seconds(60) : .zero
        #expect([Int.min, 1, 6, Int.max].allSatisfy { backoff.delay(beforeAttempt: $0) == longest })
    }

    @Test func `disconnecting during the backoff ends it, its timer, and those who wait`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(!call.isDone)
            let end = await world.start { await peripheral.disconnect() }
            #expect(end.isDone)
            #expect(call.error as? PeripheralError == .forcedDisconnect)
            #expect(world.clock.timerCount == 0)
            await world.advance(by: .seconds(60))
            #expect(await world.backend.count(.connect(.one)) == 1)
        }
    }

    @Test func `disconnecting while a timed-out attempt is taken back keeps the policy from another`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            let end = await world.start { await peripheral.disconnect() }
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(end.isDone)
            #expect(call.error as? PeripheralError == .forcedDisconnect)
            await world.advance(by: .seconds(60))
            #expect(await world.backend.count(.connect(.one)) == 1)
        }
    }

    @Test
    func `disconnecting while the manager ends a dead link keeps the policy from another connection`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            let discovery = await world.start { try await peripheral.discoverServices(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(discovery.error as? PeripheralError == .serviceDiscoveryTimeout)
            let end = await world.start { await peripheral.disconnect() }
            await world.emit(.disconnected(.one, nil))
            #expect(end.isDone)
            await world.advance(by: .seconds(60))
            #expect(await world.backend.count(.connect(.one)) == 1)
        }
    }

    @Test func `a call during the backoff connects at once, for those who wait too`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(30)))
            let first = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connectFailed(.one, .disconnected))
            let second = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            #expect(await world.backend.count(.connect(.one)) == 2)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(first.value != nil)
            #expect(second.value != nil)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test
    func `a cancelled call ends the attempts that were repeated for it, and the next call counts from zero`()
        async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumTimeouts: 1, backoff: .constant(.seconds(3)))
            let first = await world.start { try await peripheral.connect() }
            await world.emit(.connectFailed(.one, .disconnected))
            await world.cancel(first)
            #expect(first.error as? PeripheralError == .cancelled)
            #expect(world.clock.timerCount == 0)
            let second = await world.start { try await peripheral.connect() }
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(!second.isDone)
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 3)
        }
    }

    @Test func `an attempt that the policy makes alone ends at the timeout of the last call`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(call.value != nil)
            peripheral.reconnectPolicy = .init(maximumTimeouts: 0, backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            await world.advance(by: .seconds(3))
            #expect(await world.backend.count(.connect(.one)) == 2)
            await world.advance(by: .milliseconds(4999))
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.advance(by: .milliseconds(1))
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(events.all == [.disconnected(.disconnected), .timedOut, .gaveUp])
        }
    }

    @Test
    func `an attempt that the policy makes alone waits for a peripheral that is away, and counts once it is there`()
        async throws
    {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = await world.meet()
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(call.value != nil)
            peripheral.reconnectPolicy = .init(maximumTimeouts: 0, backoff: .constant(.seconds(3)))
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.lose(peripheral)
            await world.advance(by: .seconds(3))
            await world.advance(by: .seconds(3600))
            #expect(await world.backend.count(.connect(.one)) == 2)
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.emit(.peripheralHeard(.one))
            await world.advance(by: .milliseconds(4999))
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.advance(by: .milliseconds(1))
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(events.all == [.disconnected(.disconnected), .timedOut, .gaveUp])
        }
    }

    @Test
    func `a caller who joins while the policy waits for a peripheral that is away gives up for itself alone`()
        async throws
    {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = try await world.connect()
            peripheral.reconnectPolicy = .init(maximumTimeouts: 0, backoff: .constant(.seconds(3)))
            await world.lose(peripheral)
            await world.advance(by: .seconds(3))
            let joined = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(joined.error as? PeripheralError == .connectionTimeout)
            #expect(await world.backend.count(.disconnect(.one)) == 0)
            await world.advance(by: .seconds(3600))
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(peripheral.isConnected)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `the attempts of a call time out from the call, wherever the peripheral is`() async throws {
        try await World.run(features: .peripheralPresence) { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(maximumTimeouts: 1, backoff: .constant(.seconds(3)))
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(8))
            #expect(call.error as? PeripheralError == .connectionTimeout)
        }
    }

    @Test func `a connection that was lost with the radio is made anew when the radio is back`() async throws {
        try await World.run { world in
            let kept = try await world.connect(.one)
            kept.reconnectPolicy = .init()
            let plain = try await world.connect(.two)
            let ended = try await world.connect(.three)
            ended.reconnectPolicy = .init()
            await world.emit(.stateChanged(.poweredOff, nil))
            let end = await world.start { await ended.disconnect() }
            #expect(end.isDone)
            await world.advance(by: .seconds(60))
            #expect(await world.backend.linkCalls.count == 3)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.linkCalls.dropFirst(3) == [.connect(.one)])
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(kept.isConnected)
            #expect(!plain.isConnected)
        }
    }

    @Test
    func `a backoff that the radio's end interrupts fails its callers and goes on when the radio is back`() async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            peripheral.reconnectPolicy = .init(backoff: .constant(.seconds(3)))
            let call = await world.start { try await peripheral.connect() }
            await world.emit(.connectFailed(.one, .disconnected))
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(call.error as? PeripheralError == .poweredOff)
            #expect(world.clock.timerCount == 0)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.count(.connect(.one)) == 2)
        }
    }

    @Test func `without a policy nothing is given up, since nothing was tried`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(call.error as? PeripheralError == .connectionTimeout)
            #expect(events.all == [.timedOut])
        }
    }
}
