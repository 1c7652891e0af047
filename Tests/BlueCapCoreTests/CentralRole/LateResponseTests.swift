// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Late responses of a control point", .timeLimit(.minutes(60)))
struct LateResponseTests {
    private typealias Failure = ControlPointTests.Failure

    private static func request<Message: ControlPointMessage>(
        _ message: Message, _ level: Characteristic, _ world: World, onDisconnect: DisconnectPolicy = .end,
        timeout: Duration? = nil
    ) async -> Call<Message> {
        let point = TypedControlPoint<Message>(level, onDisconnect: onDisconnect)
        return await world.start { try await point.request(message, timeout: timeout) }
    }

    private static func plain(
        _ opCode: UInt8, _ level: Characteristic, _ world: World, onDisconnect: DisconnectPolicy = .end,
        timeout: Duration? = nil
    ) async -> Call<PlainLampMessage> {
        await request(.init(opCode: opCode), level, world, onDisconnect: onDisconnect, timeout: timeout)
    }

    /// Has a request answered that is written.
    private static func complete<Message: ControlPointMessage>(
        _ call: Call<Message>, _ opCode: UInt8, _ world: World
    ) async throws where Message.OpCode == UInt8 {
        await world.answer(ControlPointTests.write([opCode]), .done)
        await world.emit(ControlPointTests.response(to: opCode))
        #expect(try call.get().outcome?.request == opCode)
    }

    /// A control point that has not responded to a request with the op code 1 within the limit.
    private static func silentPoint(_ world: World) async throws -> (Peripheral, Characteristic) {
        let (peripheral, level) = try await world.level()
        let silent = await plain(1, level, world)
        await world.answer(NotifyingTests.on, .done)
        await world.answer(ControlPointTests.write([1]), .done)
        await world.advance(by: .seconds(30))
        #expect(silent.error as? Failure == .responseTimeout)
        return (peripheral, level)
    }

    @Test func `one after the limit is not taken for that to the next request with its op code, which waits for it`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await Self.silentPoint(world)
            let next = await Self.plain(1, level, world)
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 1, 7))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
            try await Self.complete(await Self.plain(1, level, world), 1, world)
        }
    }

    @Test func `requests with other op codes do not wait for it`() async throws {
        try await World.run { world in
            let (_, level) = try await Self.silentPoint(world)
            let next = await Self.plain(2, level, world)
            await world.answer(ControlPointTests.write([2]), .done)
            await world.emit(ControlPointTests.response(to: 1))
            #expect(!next.isDone)
            await world.emit(ControlPointTests.response(to: 2))
            #expect(next.isDone)
            try await Self.complete(await Self.plain(1, level, world), 1, world)
        }
    }

    @Test func `where it never comes, the next request with its op code is not written and ends after the limit too`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await Self.silentPoint(world)
            let next = await Self.plain(1, level, world)
            let other = await Self.plain(2, level, world)
            await world.advance(by: .seconds(30) - .milliseconds(1))
            #expect(!next.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(next.error as? Failure == .responseTimeout)
            try await Self.complete(other, 2, world)
            #expect(await world.backend.count(.perform(ControlPointTests.write([1]))) == 1)
        }
    }

    @Test func `a request that waits for it can be given up`() async throws {
        try await World.run { world in
            let (_, level) = try await Self.silentPoint(world)
            let next = await Self.plain(1, level, world, timeout: .seconds(2))
            await world.advance(by: .seconds(2))
            #expect(next.error as? Failure == .responseTimeout)
            try await Self.complete(await Self.plain(2, level, world), 2, world)
            #expect(await world.backend.count(.perform(ControlPointTests.write([1]))) == 1)
        }
    }

    @Test func `a new connection has none, and a request that waited for one is written over it`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await Self.silentPoint(world)
            let waiting = await Self.plain(1, level, world, onDisconnect: .resubscribe)
            #expect(await world.backend.pending == [])
            await world.lose(peripheral)
            try await world.connect(peripheral)
            let battery = Battery()
            await world.answer(.discoverServices(.one, [battery.service.uuid]), .services([battery.service]))
            await world.answer(
                .discoverCharacteristics(.one, service: battery.service.id, nil),
                .characteristics(battery.characteristics))
            await world.answer(NotifyingTests.on, .done)
            try await Self.complete(waiting, 1, world)
        }
    }

    @Test func `one is told apart also after indications were off meanwhile`() async throws {
        try await World.run { world in
            let (_, level) = try await Self.silentPoint(world)
            let stop = await world.start { try await level.stopNotifying() }
            await world.answer(NotifyingTests.off, .done)
            #expect(stop.isDone)
            let next = await Self.plain(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 1))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `one is told apart also where the platform has ended the indications`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.plain(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.emit(.notifyingStopped(.one, Battery.level, .disconnected))
            #expect(first.isDone)
            let next = await Self.plain(1, level, world)
            await world.answer(NotifyingTests.on, .done)
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 1))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `the limit has the procedure aborted where that can be, and its end frees the op code`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let silent = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.advance(by: .seconds(30))
            #expect(silent.error as? Failure == .responseTimeout)
            #expect(await world.backend.pending == [ControlPointTests.write([9])])
            let next = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(ControlPointTests.write([9]), .done)
            await world.emit(ControlPointTests.response(to: 9))
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `a refused abort leaves its procedure without a response, and the next request waits for that`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.cancel(first)
            let next = await Self.request(LampMessage(opCode: 1), level, world)
            await world.refuse(ControlPointTests.write([9]), .att(.procedureAlreadyInProgress))
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 1))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `a refused abort of a procedure that has responded meanwhile lets the next request go out`() async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.cancel(first)
            let next = await Self.request(LampMessage(opCode: 1), level, world)
            await world.emit(ControlPointTests.response(to: 1))
            await world.refuse(ControlPointTests.write([9]), .att(.procedureAlreadyInProgress))
            try await Self.complete(next, 1, world)
        }
    }

    @Test func `the response to a procedure whose abort is refused by a response is not taken for another one`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.cancel(first)
            await world.answer(ControlPointTests.write([9]), .done)
            let next = await Self.request(LampMessage(opCode: 1), level, world)
            await world.emit(ControlPointTests.response(to: 9, 4))
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 1))
            #expect(!next.isDone)
            try await Self.complete(next, 1, world)
        }
    }

    @Test(arguments: UInt8(0)...20)
    func `an abort ends the procedure with each result`(result: UInt8) async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await Self.request(LampMessage(opCode: 1), level, world)
            await world.answer(NotifyingTests.on, .done)
            await world.answer(ControlPointTests.write([1]), .done)
            await world.cancel(first)
            await world.answer(ControlPointTests.write([9]), .done)
            let next = await Self.request(LampMessage(opCode: 2), level, world)
            #expect(await world.backend.pending == [])
            await world.emit(ControlPointTests.response(to: 9, result))
            try await Self.complete(next, 2, world)
        }
    }
}
