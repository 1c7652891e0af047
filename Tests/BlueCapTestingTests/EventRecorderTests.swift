// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapTesting
import Testing

@Suite("An event recorder", .timeLimit(.minutes(60)))
struct EventRecorderTests {
    private struct Ended: Error, Equatable {}

    @Test func `keeps what came before it was asked`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        try await withEventRecorder(of: stream) { events in
            for number in 1...3 { continuation.yield(number) }
            try await events.wait(for: 3)
            #expect(events.all == [1, 2, 3])
            #expect(try await events.first { $0 > 1 } == 2)
            #expect(try await events.first(2) == [1, 2])
        }
    }

    @Test func `throws when the sequence ends without the element waited for`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        try await withEventRecorder(of: stream) { events in
            continuation.yield(1)
            continuation.finish()
            await #expect(throws: EventRecorderError.ended(count: 1)) { try await events.wait(for: 2) }
            try await events.end()
            #expect(events.hasEnded)
        }
    }

    @Test func `passes on what the sequence throws at its end`() async throws {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
        try await withEventRecorder(of: stream) { events in
            continuation.finish(throwing: Ended())
            await #expect(throws: Ended.self) { try await events.end() }
        }
    }

    @Test func `throws when its deadline passes on its clock`() async throws {
        let clock = ManualClock()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        try await withEventRecorder(of: stream, clock: clock.clock, deadline: .seconds(5)) { events in
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await events.wait(for: 1) }
                await clock.waitForTimer(within: .seconds(5))
                clock.advance(by: .seconds(5))
                await #expect(throws: EventRecorderError.deadlinePassed(.seconds(5), count: 0)) {
                    try await group.next()
                }
            }
        }
        continuation.finish()
    }

    @Test(arguments: [true, false])
    func `stops waiting when its task is cancelled, before the wait begins and during it`(
        isWaiting: Bool
    ) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        try await withEventRecorder(of: stream) { events in
            let (looks, looking) = AsyncStream.makeStream(of: Void.self)
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await events.wait { elements in
                        looking.yield()
                        return elements.contains(1)
                    }
                }
                if isWaiting {
                    // It has looked when it begins to wait, and looks again at the element that comes then.
                    var look = looks.makeAsyncIterator()
                    await look.next()
                    continuation.yield(0)
                    await look.next()
                }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
        }
        continuation.finish()
    }

    @Test
    func `ends with its body, though the sequence always has a next element and never looks at cancellation`()
        async throws
    {
        struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
            func makeAsyncIterator() -> Self { self }
            func next() async -> Int? {
                await Task.yield()
                return 1
            }
        }
        try await withEventRecorder(of: Endless()) { events in _ = try await events.first(3) }
    }
}
