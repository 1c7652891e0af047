// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Notifying", .timeLimit(.minutes(60)))
struct NotifyingTests {
    static let on = CentralOperation.setNotifying(.one, Battery.level, true, .standard)
    static let off = CentralOperation.setNotifying(.one, Battery.level, false, .standard)

    static func value(_ bytes: Bytes) -> CentralEvent { .valueChanged(.one, Battery.level, bytes) }

    /// Listens with notifications on.
    static func listen(
        _ world: World, _ level: Characteristic, capacity: StreamCapacity = .unbounded,
        onDisconnect: DisconnectPolicy = .end
    ) async throws -> Notifications {
        let call = await world.start {
            try await level.notifications(capacity: capacity, onDisconnect: onDisconnect)
        }
        if !call.isDone { await world.answer(on, .done) }
        return try call.get()
    }

    @Test func `a value that comes before the reply to switching on is delivered`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.notifications() }
            await world.emit(Self.value([1]))
            #expect(!call.isDone)
            #expect(!level.isNotifying)
            await world.answer(Self.on, .done)
            let values = Recorder(try call.get(), on: world)
            await world.emit(Self.value([2]))
            #expect(values.all == [[1], [2]])
            #expect(level.isNotifying)
            #expect(level.value == [2])
        }
    }

    @Test
    func `listeners share one switching on, get each value, and the last to leave has it switched off`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let calls = [
                await world.start { try await level.notifications() },
                await world.start { try await level.notifications() },
            ]
            #expect(await world.backend.pending == [Self.on])
            await world.answer(Self.on, .done)
            let listeners = try calls.map { Recorder(try $0.get(), on: world) }
            await world.emit(Self.value([1]))
            for listener in listeners { #expect(listener.all == [[1]]) }
            listeners[0].cancel()
            await world.idle()
            #expect(await world.backend.pending == [])
            listeners[1].cancel()
            await world.idle()
            _ = calls
        }
    }

    @Test func `leaving the loop switches off, even while the sequence is still held`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let notifications = try await Self.listen(world, level)
            await world.emit(Self.value([1]))
            for try await _ in notifications { break }
            await world.idle()
            #expect(await world.backend.pending == [Self.off])
            withExtendedLifetime(notifications) {}
        }
    }

    @Test func `a sequence that is dropped without a loop switches off`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            do { _ = try await Self.listen(world, level) }
            await world.idle()
            #expect(await world.backend.pending == [Self.off])
            await world.answer(Self.off, .done)
            #expect(!level.isNotifying)
        }
    }

    @Test
    func `a reset while notifications are being switched off leaves the characteristic without them`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            do { _ = try await Self.listen(world, level) }
            await world.idle()
            #expect(await world.backend.pending == [Self.off])
            let end = await world.start { await world.central.reset() }
            await world.emit(.disconnected(.one, nil))
            #expect(try end.get())
            #expect(!level.isNotifying)
        }
    }

    @Test func `a listener that comes while notifications are switched off has them on again`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            do { _ = try await Self.listen(world, level) }
            await world.idle()
            let call = await world.start { try await level.notifications() }
            #expect(await world.backend.pending == [Self.off])
            await world.answer(Self.off, .done)
            #expect(!call.isDone)
            await world.answer(Self.on, .done)
            #expect(call.isDone)
            #expect(level.isNotifying)
        }
    }

    @Test
    func `a listener that gives up while notifications are switched on has them off after the reply`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let late = await world.start { try await level.notifications(timeout: .seconds(1)) }
            let cancelled = await world.start { try await level.notifications() }
            await world.cancel(cancelled)
            await world.advance(by: .seconds(1))
            #expect(cancelled.error as? CharacteristicError == .cancelled)
            #expect(late.error as? CharacteristicError == .notifyTimeout)
            #expect(await world.backend.pending == [Self.on])
            await world.answer(Self.on, .done)
            #expect(await world.backend.pending == [Self.off])
        }
    }

    @Test func `a refusal to switch on is thrown to each that waits, and asked once`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await world.start { try await level.notifications() }
            let second = await world.start { try await level.notifications(onDisconnect: .resubscribe) }
            let held = await world.start { try await level.startNotifying() }
            await world.refuse(Self.on, .att(.insufficientEncryption))
            let error = CharacteristicError.att(.insufficientEncryption)
            #expect(first.error as? CharacteristicError == error)
            #expect(second.error as? CharacteristicError == error)
            #expect(held.error as? CharacteristicError == error)
            #expect(await world.backend.pending == [])
            #expect(await world.backend.count(.perform(Self.on)) == 1)
        }
    }

    @Test func `a hold that follows a refused one before its caller has run is answered by its own request`()
        async throws
    {
        try await World.run { world in
            let (_, level) = try await world.level()
            let first = await world.start { try await level.startNotifying() }
            let request = await world.backend.take(Self.on)
            // Both are under way at once: the refusal comes, the second call begins, and only then the first one ends.
            let refusal = Call(on: world.executor) {
                await world.backend.emit(.reply(request, .failure(.att(.insufficientEncryption))))
            }
            let second = Call(on: world.executor) { try await level.startNotifying() }
            await world.idle()
            #expect(refusal.isDone)
            #expect(first.error as? CharacteristicError == .att(.insufficientEncryption))
            await world.answer(Self.on, .done)
            #expect(second.value != nil)
            #expect(level.isNotifying)
        }
    }

    @Test
    func `a hold keeps notifications on over listeners that come and go, until it is taken back`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let hold = await world.start { try await level.startNotifying() }
            await world.answer(Self.on, .done)
            #expect(hold.isDone)
            do { _ = try await Self.listen(world, level) }
            await world.idle()
            #expect(await world.backend.pending == [])
            await world.emit(Self.value([9]))
            #expect(level.value == [9])
            let stop = await world.start { try await level.stopNotifying() }
            await world.answer(Self.off, .done)
            #expect(stop.value != nil)
            #expect(!level.isNotifying)
        }
    }

    @Test func `taking a hold back while it is being made ends both calls, with notifications off`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let start = await world.start { try await level.startNotifying() }
            let stop = await world.start { try await level.stopNotifying() }
            await world.answer(Self.on, .done)
            #expect(start.isDone)
            await world.answer(Self.off, .done)
            #expect(stop.value != nil)
            #expect(!level.isNotifying)
        }
    }

    @Test func `a hold that times out does not take another's back`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let hasty = await world.start { try await level.startNotifying(timeout: .seconds(1)) }
            let patient = await world.start { try await level.startNotifying() }
            await world.advance(by: .seconds(1))
            #expect(hasty.error as? CharacteristicError == .notifyTimeout)
            await world.answer(Self.on, .done)
            #expect(patient.value != nil)
            #expect(level.isNotifying)
            #expect(await world.backend.pending == [])
        }
    }

    @Test
    func `at a disconnect a sequence throws after what is buffered, and a plain stream ends quietly`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            var iterator = try await Self.listen(world, level).makeAsyncIterator()
            let stream = try await level.values()
            let plain = Recorder(stream, on: world)
            await world.emit(Self.value([1]))
            await world.lose(peripheral)
            #expect(plain.all == [[1]])
            #expect(plain.hasEnded)
            #expect(plain.error == nil)
            let first = try await iterator.next()
            #expect(first == [1])
            do throws(CharacteristicError) {
                _ = try await iterator.next()
                Issue.record("no error")
            } catch { #expect(error == .disconnected) }
            #expect(!level.isNotifying)
        }
    }

    @Test
    func `values that are dropped are counted exactly, on the sequence and on the characteristic`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let small = try await Self.listen(world, level, capacity: .newest(2))
            let large = try await Self.listen(world, level)
            for number in 0..<5 { await world.emit(Self.value([UInt8(number)])) }
            await world.emit(.valuesDropped(.one, Battery.level, count: 10))
            #expect(small.droppedCount == 13)
            #expect(large.droppedCount == 10)
            #expect(level.droppedCount == 13)
        }
    }

    @Test func `a value that comes after the last listener has left is counted as unclaimed`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            do { _ = try await Self.listen(world, level) }
            await world.idle()
            await world.emit(Self.value([1]))
            #expect(level.value == [1])
            #expect(world.central.unclaimedCount == 1)
        }
    }

    @Test func `a value for a hold alone is not unclaimed, as the app follows it`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let hold = await world.start { try await level.startNotifying() }
            await world.answer(Self.on, .done)
            await world.emit(Self.value([1]))
            #expect(hold.isDone)
            #expect(level.value == [1])
            #expect(world.central.unclaimedCount == 0)
        }
    }

    @Test func `values that are left in a loop after the link has ended count as dropped`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let notifications = try await Self.listen(world, level)
            for number in 1...3 { await world.emit(Self.value([UInt8(number)])) }
            await world.lose(peripheral)
            for try await _ in notifications { break }
            #expect(level.droppedCount == 2)
            await world.idle()
            #expect(world.central.unclaimedCount == 0)
        }
    }

    @Test func `a change of the services ends listeners, and calls that wait to listen`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let changes = Recorder(peripheral.serviceChanges(), on: world)
            let values = Recorder(try await Self.listen(world, level), on: world)
            await world.emit(.servicesChanged(.one, invalidated: nil))
            #expect(values.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(changes.all == [["180F"]])
            #expect(peripheral.services == [])
            let again = try await world.discover(peripheral)
            let call = await world.start { try await again.notifications() }
            await world.emit(.servicesChanged(.one, invalidated: [Battery().service.id]))
            #expect(call.error as? CharacteristicError == .notDiscovered("2A19"))
            let stale = await world.start { try await again.read() }
            #expect(stale.error as? CharacteristicError == .notDiscovered("2A19"))
        }
    }

    @Test func `a change of the services that names none ends nothing`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let changes = Recorder(peripheral.serviceChanges(), on: world)
            let values = Recorder(try await Self.listen(world, level), on: world)
            let read = await world.start { try await level.read() }
            await world.emit(.servicesChanged(.one, invalidated: []))
            await world.emit(.valueChanged(.one, Battery.level, [7]))
            #expect(values.all == [[7]])
            #expect(values.error == nil)
            await world.answer(ReadingWritingTests.read, .value([1]))
            #expect(read.value == [1])
            #expect(changes.all == [[]])
            #expect(peripheral.services.map(\.uuid) == ["180F"])
        }
    }

    @Test(arguments: [true, false])
    func `notifications that a change of the services ends are switched off, unless their service is named`(
        isNamed: Bool
    ) async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let values = Recorder(try await Self.listen(world, level), on: world)
            await world.emit(.servicesChanged(.one, invalidated: isNamed ? [Battery().service.id] : nil))
            #expect(values.error as? CharacteristicError == .notDiscovered("2A19"))
            #expect(await world.backend.pending == (isNamed ? [] : [Self.off]))
        }
    }

    @Test func `a platform that stops notifications ends listeners with its reason`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let values = Recorder(try await Self.listen(world, level), on: world)
            await world.idle()
            await world.emit(.notifyingStopped(.one, Battery.level, .unsupported))
            #expect(values.error as? CharacteristicError == .unsupported)
            #expect(!level.isNotifying)
        }
    }

    @Test func `a characteristic that neither notifies nor indicates is refused`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            let status = try peripheral.characteristic("2A1A")
            let call = await world.start { try await status.notifications() }
            #expect(call.error as? CharacteristicError == .notifyNotSupported)
        }
    }

    enum Level: UInt8, RawDeserializable {
        static let uuid: BluetoothUUID = "2A19"
        case low = 0
        case high = 1
    }

    @Test
    func `bytes that do not decode end a typed sequence with the bytes, or are skipped and counted`() async throws {
        try await World.run { world in
            let (peripheral, _) = try await world.level()
            let typed = try peripheral.characteristic(Level.self)
            let ending = await world.start { try await typed.notifications() }
            await world.answer(Self.on, .done)
            let skipping = await world.start { try await typed.notifications(onUndecodable: .skip) }
            let skipped = try skipping.get()
            let first = Recorder(try ending.get(), on: world)
            let second = Recorder(skipped, on: world)
            for byte: UInt8 in [1, 9, 0] { await world.emit(Self.value([byte])) }
            #expect(first.all == [.high])
            #expect(first.error as? CharacteristicError == .undecodable(.invalidValue(offset: 0), [9], from: "2A19"))
            #expect(second.all == [.high, .low])
            #expect(skipped.skippedCount == 1)
        }
    }
}
