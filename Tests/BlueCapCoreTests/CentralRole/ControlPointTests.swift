// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Requests to a control point", .timeLimit(.minutes(60)))
struct ControlPointTests {
    typealias Failure = ControlPointError<UInt8>

    static func write(_ bytes: Bytes) -> CentralOperation { .write(.one, Battery.level, bytes, .withResponse) }

    static func response(to request: UInt8, _ result: UInt8 = 1) -> CentralEvent {
        NotifyingTests.value([0x80, request, result])
    }

    /// A request without a way to abort it.
    private static func request(
        _ opCode: UInt8, _ level: Characteristic, _ world: World, onDisconnect: DisconnectPolicy = .end,
        timeout: Duration? = nil
    ) async -> Call<PlainLampMessage> {
        let point = TypedControlPoint<PlainLampMessage>(level, onDisconnect: onDisconnect)
        return await world.start { try await point.request(.init(opCode: opCode), timeout: timeout) }
    }

    /// Has a request written and answered.
    private static func complete(_ call: Call<PlainLampMessage>, _ opCode: UInt8, _ world: World) async throws {
        await world.answer(write([opCode]), .done)
        await world.emit(response(to: opCode))
        #expect(try call.get().outcome?.request == opCode)
    }

    @Test func `the first one subscribes, and the next ones do not`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(first, 1, world)
            try await Self.complete(await Self.request(2, level, world), 2, world)
            #expect(await world.backend.count(.perform(NotifyingTests.on)) == 1)
            #expect(await world.backend.count(.perform(NotifyingTests.off)) == 0)
        }
    }

    @Test func `go out one at a time, in the order of the calls`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let calls = [
                await Self.request(1, level, world), await Self.request(2, level, world),
                await Self.request(3, level, world),
            ]
            await world.answer(NotifyingTests.on, .done)
            for (index, call) in calls.enumerated() {
                #expect(await world.backend.pending == [Self.write([UInt8(index) + 1])])
                try await Self.complete(call, UInt8(index) + 1, world)
            }
        }
    }

    @Test func `a response to another op code is not taken`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.emit(Self.response(to: 2))
            await world.emit(NotifyingTests.value([]))
            #expect(!call.isDone)
            await world.emit(Self.response(to: 1))
            #expect(call.isDone)
        }
    }

    @Test func `a response that comes before the reply to the write counts`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.emit(Self.response(to: 1))
            #expect(try call.get().outcome?.result == 1)
            await world.refuse(Self.write([1]), .att(.unlikelyError))
            let next = await Self.request(2, level, world)
            try await Self.complete(next, 2, world)
        }
    }

    @Test func `another result than success is thrown as the service's own`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.emit(Self.response(to: 1, 7))
            #expect(call.error as? Failure == .refused(7))
            #expect((call.error as? Failure)?.reason == .refused)
        }
    }

    @Test func `a write that is refused throws its ATT error and frees the place`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await Self.request(1, level, world)
            let next = await Self.request(2, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.refuse(Self.write([1]), .att(.procedureAlreadyInProgress))
            #expect(call.error as? Failure == .characteristic(.att(.procedureAlreadyInProgress)))
            try await Self.complete(next, 2, world)
        }
    }

    @Test func `a refused subscription ends all that wait`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let calls = [await Self.request(1, level, world), await Self.request(2, level, world)]
            await world.refuse(NotifyingTests.on, .att(.insufficientAuthentication))
            for call in calls {
                #expect(call.error as? Failure == .characteristic(.att(.insufficientAuthentication)))
            }
        }
    }

    @Test func `a late response is not taken for that to the next request with its op code`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let late = await Self.request(1, level, world, timeout: .seconds(2))
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.advance(by: .seconds(2))
            #expect(late.error as? Failure == .responseTimeout)
            let next = await Self.request(1, level, world)
            #expect(await world.backend.pending == [])
            await world.emit(Self.response(to: 1))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `one that is never answered ends after 30 seconds, and the next goes out`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let silent = await Self.request(1, level, world)
            let next = await Self.request(2, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.advance(by: .seconds(30) - .milliseconds(1))
            #expect(!silent.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(silent.error as? Failure == .responseTimeout)
            try await Self.complete(next, 2, world)
        }
    }

    @Test func `one that waits and is cancelled is never written`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(1, level, world)
            let second = await Self.request(2, level, world)
            await world.cancel(second)
            #expect(second.error as? Failure == .characteristic(.cancelled))
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(first, 1, world)
            #expect(await world.backend.count(.perform(Self.write([2]))) == 0)
        }
    }

    @Test func `one that is given up is aborted before the next is written`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let point = TypedControlPoint<LampMessage>(level)
            let first = await world.start { try await point.request(.init(opCode: 1)) }
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.cancel(first)
            let next = await world.start { try await point.request(.init(opCode: 2)) }
            #expect(await world.backend.pending == [Self.write([9])])
            await world.answer(Self.write([9]), .done)
            await world.emit(Self.response(to: 1))
            #expect(await world.backend.pending == [])
            await world.emit(Self.response(to: 9))
            #expect(await world.backend.pending == [Self.write([2])])
            await world.answer(Self.write([2]), .done)
            await world.emit(Self.response(to: 2))
            #expect(next.value?.outcome?.request == 2)
        }
    }

    @Test func `a lost link ends the one under way and those that wait`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let calls = [await Self.request(1, level, world), await Self.request(2, level, world)]
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.lose(peripheral)
            for call in calls { #expect(call.error as? Failure == .characteristic(.disconnected)) }
            #expect(await world.central.restorability(of: .one).isEmpty)
        }
    }

    @Test func `by its policy one that is not written waits for the next link, and one that is written ends`()
        async throws
    {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let written = await Self.request(1, level, world, onDisconnect: .resubscribe)
            let waiting = await Self.request(2, level, world, onDisconnect: .resubscribe)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(Self.write([1]), .done)
            await world.lose(peripheral)
            #expect(written.error as? Failure == .characteristic(.disconnected))
            try await world.connect(peripheral)
            let battery = Battery()
            await world.answer(.discoverServices(.one, [battery.service.uuid]), .services([battery.service]))
            await world.answer(
                .discoverCharacteristics(.one, service: battery.service.id, nil),
                .characteristics(battery.characteristics))
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(waiting, 2, world)
        }
    }

    /// The ends of an attempt at a connection that no policy repeats.
    enum AttemptEnd: CaseIterable { case failed, cancelled, timedOut, forced, radioLost }

    @Test(arguments: AttemptEnd.allCases)
    func `one that waits for a link ends when the attempt at it does, and none follows`(end: AttemptEnd) async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let early = await Self.request(1, level, world, onDisconnect: .resubscribe)
            await world.lose(peripheral)
            #expect(!early.isDone)
            let connecting = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            let late = await Self.request(2, level, world, onDisconnect: .resubscribe)
            #expect(!late.isDone)
            switch end {
            case .failed: break
            case .cancelled: await world.cancel(connecting)
            case .timedOut: await world.advance(by: .seconds(5))
            case .forced: _ = await world.start { await peripheral.disconnect() }
            case .radioLost: await world.emit(.stateChanged(.poweredOff, nil))
            }
            if end != .radioLost { await world.emit(.connectFailed(.one, .disconnected)) }
            for call in [early, late] { #expect(call.error as? Failure == .characteristic(.disconnected)) }
            #expect(await world.central.restorability(of: .one).isEmpty)
        }
    }

    @Test func `one that waits for a link waits on while the policy tries again`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            peripheral.reconnectPolicy = ReconnectPolicy(backoff: .constant(.seconds(3)))
            await world.lose(peripheral)
            let call = await Self.request(1, level, world, onDisconnect: .resubscribe)
            await world.advance(by: .seconds(3))
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(!call.isDone)
        }
    }

    @Test func `one that waits for a link ends with the last scope that tries again`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let policy = ReconnectPolicy(backoff: .constant(.seconds(3)))
            let scope = await world.start {
                try await peripheral.stayConnected(policy) { _ in
                    for await _ in peripheral.connectionEvents() {}
                }
            }
            await world.lose(peripheral)
            let call = await Self.request(1, level, world, onDisconnect: .resubscribe)
            await world.advance(by: .seconds(3))
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(!call.isDone)
            await world.cancel(scope)
            #expect(scope.error as? PeripheralError == .cancelled)
            #expect(call.error as? Failure == .characteristic(.disconnected))
            #expect(await world.central.remains.isEmpty)
        }
    }

    @Test func `the failed attempt at a link leaves a listener that waits for the next one`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let listening = await world.start {
                for try await _ in try await level.notifications(onDisconnect: .resubscribe) {}
            }
            await world.answer(NotifyingTests.on, .done)
            await world.lose(peripheral)
            let connecting = await world.start { try await peripheral.connect() }
            let call = await Self.request(1, level, world, onDisconnect: .resubscribe)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(connecting.isDone)
            #expect(call.error as? Failure == .characteristic(.disconnected))
            #expect(!listening.isDone)
            await world.cancel(listening)
        }
    }

    @Test func `the end of the manager ends all of them`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let calls = [await Self.request(1, level, world), await Self.request(2, level, world)]
            await world.answer(NotifyingTests.on, .done)
            let end = await world.start { await world.central.reset() }
            for call in calls { #expect(call.error as? Failure == .characteristic(.invalidated)) }
            await world.emit(.disconnected(.one, nil))
            #expect(end.isDone)
        }
    }

    @Test func `stopNotifying switches indications off between two of them`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(first, 1, world)
            let stop = await world.start { try await level.stopNotifying() }
            await world.answer(NotifyingTests.off, .done)
            #expect(stop.isDone)
        }
    }

    @Test func `a program that comes after this one does not take them up`() async throws {
        let store = MemoryRestorationStore()
        try await World.run(restoring: store) { world in
            let (_, level) = try await world.level()
            let call = await Self.request(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(call, 1, world)
            #expect(await world.central.restorability(of: .one) == [false])
        }
    }
}

extension CentralManager {
    /// Whether each subscription of a peripheral is to be restored.
    fileprivate func restorability(of id: PeerIdentifier) -> [Bool] {
        book.known(id)?.subscriptions.all.map(\.isRestorable) ?? []
    }
}
