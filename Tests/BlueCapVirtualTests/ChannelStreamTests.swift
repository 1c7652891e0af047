// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Streams over channels", .timeLimit(.minutes(60)))
struct ChannelStreamTests {
    private struct World: Sendable {
        let near: Channel
        let far: Channel
        let peripheral: Peripheral
        let radio: VirtualRadio
    }

    /// A peripheral manager's channel, near, and that of the central at its other end, far.
    private func run(
        nearLength: Int = 100, farLength: Int = 50, _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let adapter = radio.adapter(address: "C0:DE:00:00:00:77")
            let manager = PeripheralManager(backend: radio.peripheral(on: adapter))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            try await manager.startAdvertising("Ours", serviceUUIDs: ["FFF0"], timeout: .seconds(1))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            let published = try await manager.publishChannel(maximumReceiveLength: nearLength)
            let far = try await peripheral.openChannel(psm: published.psm, maximumReceiveLength: farLength)
            var accepted = published.makeAsyncIterator()
            let near = try #require(try await accepted.next())
            try await body(World(near: near, far: far, peripheral: peripheral, radio: radio))
            await central.invalidate()
            await manager.invalidate()
        }
    }

    private func bytes(_ count: Int) -> Bytes { Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }) }

    @Test func `bytes go out in units that the peer takes, whole and in order`() async throws {
        try await run { world in
            let sent = bytes(1234)
            async let writing: Void = ChannelStream(world.near).write(sent)
            var units: [Bytes] = []
            for try await unit in world.far {
                units.append(unit)
                if units.count == 25 { break }
            }
            try await writing
            #expect(units.map(\.count) == Array(repeating: 50, count: 24) + [34])
            #expect(Bytes(units.joined()) == sent)
        }
    }

    @Test func `no bytes are no unit`() async throws {
        try await run { world in
            try await ChannelStream(world.near).write([])
            #expect(world.near.statistics == ChannelStatistics())
        }
    }

    @Test func `an exact read joins units, and leaves the rest to the next`() async throws {
        try await run { world in
            for unit: Bytes in [[1, 2, 3], [4, 5], [6, 7, 8, 9]] { try await world.far.send(unit) }
            let stream = ChannelStream(world.near)
            #expect(try await stream.read(exactly: 2) == [1, 2])
            #expect(try await stream.read(exactly: 5) == [3, 4, 5, 6, 7])
            #expect(try await stream.read(exactly: 0) == [])
            #expect(try await stream.read(exactly: 2) == [8, 9])
        }
    }

    @Test func `a read of up to some bytes takes what is here, and no more`() async throws {
        try await run { world in
            try await world.far.send([1, 2, 3])
            try await world.far.send([4])
            let stream = ChannelStream(world.near)
            #expect(try await stream.read(atMost: 2) == [1, 2])
            #expect(try await stream.read(atMost: 10) == [3])
            #expect(try await stream.read(atMost: 10) == [4])
        }
    }

    @Test func `lines are read through their delimiter, whatever their units`() async throws {
        try await run { world in
            for text in ["one\ntw", "o", "\n\nthree\nfo"] { try await world.far.send(Bytes(text.utf8)) }
            let stream = ChannelStream(world.near)
            for line in ["one\n", "two\n", "\n", "three\n"] {
                #expect(try await stream.read(through: 10, atMost: 6) == Bytes(line.utf8))
            }
            #expect(stream.waitingCount == 2)
        }
    }

    @Test func `a line without an end is refused at its maximum, and its bytes stay`() async throws {
        try await run { world in
            try await world.far.send(Bytes("abcdef\n".utf8))
            let stream = ChannelStream(world.near)
            await #expect(throws: ChannelError.noDelimiter(maximum: 6)) {
                try await stream.read(through: 10, atMost: 6)
            }
            #expect(try await stream.read(through: 10, atMost: 7) == Bytes("abcdef\n".utf8))
        }
    }

    @Test func `a close between two reads is nil, and within one an error with the bytes that came`() async throws {
        try await run { world in
            try await world.far.send([1, 2, 3, 4, 5])
            world.far.close()
            let stream = ChannelStream(world.near)
            #expect(try await stream.read(exactly: 2) == [1, 2])
            await #expect(throws: ChannelError.endedEarly(count: 3)) { try await stream.read(exactly: 4) }
            await #expect(throws: ChannelError.endedEarly(count: 3)) { try await stream.read(through: 9, atMost: 4) }
            #expect(try await stream.read(atMost: 4) == [3, 4, 5])
            #expect(try await stream.read(exactly: 4) == nil)
            #expect(try await stream.read(atMost: 4) == nil)
        }
    }

    @Test func `a lost link is thrown by each read, after the bytes that are here`() async throws {
        try await run { world in
            try await world.far.send([1, 2, 3])
            try await world.radio.clock.sleep(for: .seconds(1))
            await world.peripheral.disconnect()
            let stream = ChannelStream(world.near)
            await #expect(throws: ChannelError.disconnected) { try await stream.read(exactly: 4) }
            #expect(try await stream.read(atMost: 4) == [1, 2, 3])
            for _ in 0..<2 {
                await #expect(throws: ChannelError.disconnected) { try await stream.read(atMost: 1) }
            }
        }
    }

    @Test func `a cancelled read loses no byte`() async throws {
        try await run { world in
            let stream = ChannelStream(world.near)
            try await world.far.send([1, 2, 3])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: ChannelError.cancelled) { try await stream.read(exactly: 5) }
                }
                try await world.radio.clock.sleep(for: .seconds(1))
                #expect(stream.waitingCount == 3)
                group.cancelAll()
                try await group.waitForAll()
            }
            try await world.far.send([4, 5, 6])
            #expect(try await stream.read(exactly: 6) == [1, 2, 3, 4, 5, 6])
        }
    }

    @Test func `a reader that stops holds up the writer, and keeps one unit`() async throws {
        try await run { world in
            let (stream, sent) = (ChannelStream(world.near), bytes(20_000))
            async let writing: Void = ChannelStream(world.far).write(sent)
            #expect(try await stream.read(atMost: 1) == Bytes(sent.prefix(1)))
            try await world.radio.clock.sleep(for: .seconds(60))
            #expect(stream.waitingCount == 99)
            #expect(world.near.statistics.receivedUnitCount < 50)
            #expect(try await stream.read(exactly: 19_999) == Bytes(sent.dropFirst()))
            try await writing
        }
    }
}
