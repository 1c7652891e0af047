// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Waiting for a notified value", .timeLimit(.minutes(60)))
struct ValueTimeoutTests {
    private func listen(_ world: World, _ level: Characteristic) async throws -> Recorder<Bytes> {
        let call = await world.start { try await level.notifications(valueTimeout: .seconds(5)) }
        await world.answer(NotifyingTests.on, .done)
        return Recorder(try call.get(), on: world)
    }

    @Test func `a loop that gets no value for too long ends with its timeout, and notifications go off`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let recorder = try await listen(world, level)
            await world.advance(by: .milliseconds(4999))
            #expect(!recorder.hasEnded)
            await world.advance(by: .milliseconds(1))
            #expect(recorder.error as? CharacteristicError == .valueTimeout)
            await world.idle()
            #expect(await world.backend.pending == [NotifyingTests.off])
        }
    }

    @Test func `each value has its own time`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let recorder = try await listen(world, level)
            for number in 1...3 as ClosedRange<UInt8> {
                await world.advance(by: .seconds(4))
                await world.emit(NotifyingTests.value([number]))
            }
            #expect(recorder.all == [[1], [2], [3]])
            await world.advance(by: .milliseconds(4999))
            #expect(!recorder.hasEnded)
            await world.advance(by: .milliseconds(1))
            #expect(recorder.error as? CharacteristicError == .valueTimeout)
        }
    }

    @Test func `what a loop does with a value takes none of the time for the next`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let call = await world.start { try await level.notifications(valueTimeout: .seconds(5)) }
            await world.answer(NotifyingTests.on, .done)
            let values = try call.get()
            let loop = await world.start {
                for try await _ in values { try await world.clock.clock.sleep(for: .seconds(60)) }
            }
            await world.emit(NotifyingTests.value([1]))
            await world.advance(by: .seconds(60))
            await world.advance(by: .milliseconds(4999))
            #expect(!loop.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(loop.error as? CharacteristicError == .valueTimeout)
        }
    }

    @Test func `a value that came in time is delivered, and those after it, when its loop comes late to take it`()
        async throws
    {
        let clock = ManualClock()
        let box = SubscriptionRecord.Box(capacity: .unbounded)
        let deadline = ValueDeadline(.seconds(5), on: clock.clock, of: box)
        deadline.begin()
        clock.advance(by: .seconds(1))
        box.push([1])
        clock.advance(by: .seconds(5))
        #expect(try await box.next() == [1])
        deadline.end()
        box.push([2])
        #expect(try await box.next() == [2])
    }

    @Test func `a loop that may not wait at all lets the clock go on while a value is there for it`() async throws {
        let clock = ManualClock()
        let box = SubscriptionRecord.Box(capacity: .unbounded)
        let deadline = ValueDeadline(.zero, on: clock.clock, of: box)
        deadline.begin()
        box.push([1])
        var fired = 0
        while fired < 5000, let next = clock.nextDeadline, next <= .seconds(1), clock.advanceToNext() { fired += 1 }
        #expect(fired < 5000)
        #expect(try await box.next() == [1])
    }

    @Test func `the end of the loop takes the timer back`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let recorder = try await listen(world, level)
            await world.idle()
            #expect(world.clock.timerCount == 1)
            recorder.cancel()
            await world.idle()
            #expect(world.clock.timerCount == 0)
        }
    }
}
