// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Writing over a channel", .timeLimit(.minutes(60)))
struct WriteChannelTests {
    /// A channel that records the values that it sends.
    final class Channel: WriteChannel {
        private struct State {
            var sent: [Bytes] = []
            var isHeld = false
            var isFull = false
        }

        private let state = Locked(State())

        var sent: [Bytes] { state.withLock { $0.sent } }

        func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

        func send(_ value: Bytes) -> Bool {
            state.withLock { state in
                state.isHeld = state.isHeld || state.isFull
                if state.isHeld { return false }
                state.sent.append(value)
                return true
            }
        }

        func hold() { state.withLock { $0.isHeld = true } }

        func release() { state.withLock { $0.isHeld = false } }
    }

    private static func queued(_ value: Bytes) -> CentralOperation {
        ReadingWritingTests.write(value, .withoutResponseOverSocket)
    }

    /// A characteristic that has written a first value, [1], through the queue, since when it has a channel.
    private static func open(_ world: World) async throws -> (Peripheral, Characteristic, Channel) {
        let (peripheral, level) = try await world.level()
        let channel = Channel()
        await world.backend.open(channel)
        let first = await world.start { try await level.write([1], kind: .withoutResponseOverSocket) }
        await world.answer(queued([1]), .done)
        #expect(first.isDone)
        return (peripheral, level, channel)
    }

    @Test func `the first value goes through the queue, and those after it at once`() async throws {
        try await World.run { world in
            let (_, level, channel) = try await Self.open(world)
            let call = await world.start {
                for number in 2...200 as ClosedRange<UInt8> {
                    try await level.write([number], kind: .withoutResponseOverSocket)
                }
            }
            #expect(call.isDone && call.error == nil)
            #expect(channel.sent == (2...200).map { [$0] })
            #expect(await world.backend.pending == [])
        }
    }

    @Test func `writes of the other kinds take the queue`() async throws {
        try await World.run { world in
            let (_, level, channel) = try await Self.open(world)
            for kind in [WriteKind.withResponse, .withoutResponse] {
                _ = await world.start { try await level.write([2], kind: kind) }
                await world.answer(ReadingWritingTests.write([2], kind), .done)
            }
            #expect(channel.sent == [])
        }
    }

    @Test func `a value waits for what was queued before it, also when that was given up`() async throws {
        try await World.run { world in
            let (_, level, channel) = try await Self.open(world)
            let read = await world.start { try await level.read(timeout: .seconds(1)) }
            let write = await world.start { try await level.write([2], kind: .withoutResponseOverSocket) }
            await world.advance(by: .seconds(1))
            #expect(read.error as? CharacteristicError == .readTimeout)
            let next = await world.start { try await level.write([3], kind: .withoutResponseOverSocket) }
            #expect(channel.sent == [] && !write.isDone && !next.isDone)
            await world.answer(ReadingWritingTests.read, .value([0]))
            #expect(await world.backend.pending == [Self.queued([2])])
            await world.answer(Self.queued([2]), .done)
            #expect(await world.backend.pending == [Self.queued([3])])
            await world.answer(Self.queued([3]), .done)
            #expect(write.isDone && next.isDone && channel.sent == [])
            let last = await world.start { try await level.write([4], kind: .withoutResponseOverSocket) }
            #expect(last.isDone && channel.sent == [[4]])
        }
    }

    @Test func `a value that the channel does not take is queued, and those behind it wait for it`() async throws {
        try await World.run { world in
            let (_, level, channel) = try await Self.open(world)
            channel.fill(true)
            let first = await world.start { try await level.write([2], kind: .withoutResponseOverSocket) }
            channel.fill(false)
            let second = await world.start { try await level.write([3], kind: .withoutResponseOverSocket) }
            #expect(await level.pendingWriteCount == 2)
            #expect(channel.sent == [])
            await world.answer(Self.queued([2]), .done)
            await world.answer(Self.queued([3]), .done)
            #expect(first.isDone && second.isDone && channel.sent == [])
        }
    }

    @Test func `a cancelled task writes nothing`() async throws {
        try await World.run { world in
            let (_, level, channel) = try await Self.open(world)
            let call = await world.start {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await level.write([2], kind: .withoutResponseOverSocket)
            }
            #expect(call.error as? CharacteristicError == .cancelled)
            #expect(channel.sent == [])
        }
    }

    @Test func `a channel ends with its connection`() async throws {
        try await World.run { world in
            let (peripheral, level, channel) = try await Self.open(world)
            await world.lose(peripheral)
            let call = await world.start { try await level.write([2], kind: .withoutResponseOverSocket) }
            #expect(call.error as? CharacteristicError == .disconnected)
            #expect(channel.sent == [])
        }
    }

    @Test func `a channel ends with its characteristic`() async throws {
        try await World.run { world in
            let (peripheral, level, channel) = try await Self.open(world)
            await world.emit(.servicesChanged(peripheral.identifier, invalidated: nil))
            let call = await world.start { try await level.write([2], kind: .withoutResponseOverSocket) }
            #expect(call.error as? CharacteristicError == .notDiscovered(level.uuid))
            #expect(channel.sent == [])
        }
    }
}
