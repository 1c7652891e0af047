// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Reading and writing", .timeLimit(.minutes(60)))
struct ReadingWritingTests {
    static let read = CentralOperation.read(.one, Battery.level)
    static let readStatus = CentralOperation.read(.one, Battery.status)

    static func write(_ bytes: Bytes, _ kind: WriteKind = .withResponse) -> CentralOperation {
        .write(.one, Battery.level, bytes, kind)
    }

    @Test func `a discovered characteristic says whether it has all of several properties`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            #expect(level.propertyEnabled(.read))
            #expect(level.propertyEnabled([.read, .notify]))
            #expect(!level.propertyEnabled([.read, .indicate]))
            #expect(level.propertyEnabled([]))
        }
    }

    @Test
    func `reads and writes of one characteristic go out one at a time, in the order of the calls`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await world.start { try await level.read() }
            let second = await world.start { try await level.write([7]) }
            let third = await world.start { try await level.read() }
            #expect(await world.backend.pending == [Self.read])
            #expect(await level.pendingReadCount == 2)
            #expect(await level.pendingWriteCount == 1)
            await world.answer(Self.read, .value([1]))
            #expect(first.value == [1])
            #expect(await world.backend.pending == [Self.write([7])])
            await world.answer(Self.write([7]), .done)
            #expect(second.isDone)
            await world.answer(Self.read, .value([7]))
            #expect(third.value == [7])
            #expect(level.value == [7])
        }
    }

    @Test(arguments: [true, false])
    func `an answer goes to the listeners, too, where it may have been notified`(isKnown: Bool) async throws {
        try await World.run(features: isKnown ? .separatesReadsFromNotifications : []) { world in
            let (_, level) = try await world.level()
            let values = Recorder(try await NotifyingTests.listen(world, level), on: world)
            let read = await world.start { try await level.read() }
            await world.answer(Self.read, .value([1]))
            #expect(read.value == [1])
            #expect(values.all == (isKnown ? [] : [[1]]))
        }
    }

    @Test func `reads of two characteristics go out side by side`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let status = try peripheral.characteristic("2A1A")
            let one = await world.start { try await level.read() }
            let other = await world.start { try await status.read() }
            #expect(await world.backend.pending == [Self.read, Self.readStatus])
            await world.answer(Self.readStatus, .value([2]))
            #expect(other.value == [2])
            #expect(!one.isDone)
        }
    }

    @Test func `a late reply after a timeout is not taken for the next read's, which waits for it`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await world.start { try await level.read(timeout: .seconds(1)) }
            let late = await world.backend.take(Self.read)
            await world.advance(by: .seconds(1))
            #expect(first.error as? CharacteristicError == .readTimeout)
            let second = await world.start { try await level.read() }
            #expect(await world.backend.pending == [])
            await world.emit(.reply(late, .success(.value([1]))))
            #expect(!second.isDone)
            await world.answer(Self.read, .value([2]))
            #expect(second.value == [2])
        }
    }

    @Test func `a timeout runs from the call: one that is still queued is never sent`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await world.start { try await level.read() }
            let second = await world.start { try await level.write([7], timeout: .seconds(1)) }
            await world.advance(by: .seconds(1))
            #expect(second.error as? CharacteristicError == .writeTimeout)
            await world.answer(Self.read, .value([1]))
            #expect(first.isDone)
            #expect(await world.backend.pending == [])
        }
    }

    @Test func `a cancelled task is freed at once`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.read() }
            await world.cancel(call)
            #expect(call.error as? CharacteristicError == .cancelled)
        }
    }

    @Test
    func `a lost link fails what was sent and what was queued, and replies that come after it count as unclaimed`()
        async throws
    {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let sent = await world.start { try await level.read() }
            let queued = await world.start { try await level.write([1]) }
            let late = await world.backend.take(Self.read)
            await world.lose(peripheral)
            #expect(sent.error as? CharacteristicError == .disconnected)
            #expect(queued.error as? CharacteristicError == .disconnected)
            await world.emit(.reply(late, .success(.value([1]))))
            #expect(world.central.unclaimedCount == 1)
            #expect(level.value == nil)
        }
    }

    @Test(arguments: [true, false])
    func `a reply after a timeout or a cancellation counts as unclaimed`(_ isTimeout: Bool) async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let given = await world.start { try await level.read(timeout: .seconds(1)) }
            if isTimeout { await world.advance(by: .seconds(1)) } else { await world.cancel(given) }
            #expect(given.isDone)
            #expect(world.central.unclaimedCount == 0)
            await world.answer(Self.read, .value([1]))
            #expect(world.central.unclaimedCount == 1)
            #expect(level.value == nil)
        }
    }

    @Test func `the radio going off fails reads with that`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.read() }
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(call.error as? CharacteristicError == .poweredOff)
        }
    }

    @Test func `an ATT error of the peer arrives as it is`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.read() }
            await world.refuse(Self.read, .att(.insufficientAuthorization))
            #expect(call.error as? CharacteristicError == .att(.insufficientAuthorization))
        }
    }

    @Test func `a value with a form in bytes is written as that, and an array of bytes as these`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let encoded = await world.start { try await level.write(UInt16(0x0102)) }
            await world.answer(Self.write([2, 1]), .done)
            let text = await world.start { try await level.write("A") }
            await world.answer(Self.write([0x41]), .done)
            let array = await world.start { try await level.write([3, 4] as [UInt8]) }
            await world.answer(Self.write([3, 4]), .done)
            #expect(encoded.value != nil && text.value != nil && array.value != nil)
        }
    }

    @Test func `what the properties do not offer is refused here, without the radio`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            let status = try peripheral.characteristic("2A1A")
            for kind in [WriteKind.withResponse, .withoutResponse] {
                let call = await world.start { try await status.write([1], kind: kind) }
                #expect(call.error as? CharacteristicError == .writeNotSupported)
            }
            let call = await world.start { try await status.notifications() }
            #expect(call.error as? CharacteristicError == .notifyNotSupported)
            #expect(await world.backend.pending == [])
        }
    }

    @Test(arguments: [(513, WriteKind.withResponse, 512), (21, .withoutResponse, 20)])
    func `a value is refused that is longer than an attribute, or than one packet where it must go in one`(
        count: Int, kind: WriteKind, maximum: Int
    ) async throws {
        try await World.run { world in
            let peripheral = try await world.connect(maximumTransmissionUnit: 23)
            let level = try await world.discover(peripheral)
            let value = Bytes([UInt8](repeating: 0, count: count))
            let call = await world.start { try await level.write(value, kind: kind) }
            #expect(call.error as? CharacteristicError == .valueTooLong(count: count, maximum: maximum))
        }
    }

    @Test func `a write without response returns when the backend can take the next`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let calls = [
                await world.start { try await level.write([1], kind: .withoutResponse) },
                await world.start { try await level.write([2], kind: .withoutResponse) },
            ]
            #expect(await world.backend.pending == [Self.write([1], .withoutResponse)])
            await world.answer(Self.write([1], .withoutResponse), .done)
            #expect(calls.map(\.isDone) == [true, false])
            #expect(await world.backend.pending == [Self.write([2], .withoutResponse)])
        }
    }
}
