// SPDX-License-Identifier: MIT

#if os(Linux)
import Testing

@testable import BlueCapRuntime

@Suite("Timers of the continuous clock", .timeLimit(.minutes(60)))
struct TimerThreadTests {
    @Test func `come in the order of their times, also one that is set last`() async throws {
        let timers = try #require(TimerThread.make())
        let (names, continuation) = AsyncStream.makeStream(of: String.self)
        // Their times are set from one moment, as this thread may have to wait between two of them.
        let begun = TimerThread.elapsed
        for (name, time) in [("d", 400), ("c", 300), ("a", 100), ("b", 200)] {
            _ = timers.schedule(after: begun + .milliseconds(time) - TimerThread.elapsed) { continuation.yield(name) }
        }
        let found = await names.prefix(4).reduce(into: []) { $0.append($1) }
        #expect(found == ["a", "b", "c", "d"])
        #expect(timers.count == 0)
    }

    @Test func `come no earlier than they are due`() async throws {
        let timers = try #require(TimerThread.make())
        for delay in [Duration.milliseconds(1), .microseconds(1500), .nanoseconds(1), .zero, .seconds(-1)] {
            let begun = TimerThread.elapsed
            await withCheckedContinuation { continuation in
                _ = timers.schedule(after: delay) { continuation.resume() }
            }
            #expect(TimerThread.elapsed - begun >= delay)
        }
    }

    @Test func `that are cancelled do not come, and leave nothing behind`() async throws {
        let timers = try #require(TimerThread.make())
        let called = Locked(0)
        for _ in 0..<10_000 {
            timers.schedule(after: .seconds(30)) { called.withLock { $0 += 1 } }.cancel()
        }
        #expect(timers.count == 0)
        #expect(timers.storedCount <= 65)
        let first = timers.schedule(after: .milliseconds(5)) { called.withLock { $0 += 1 } }
        first.cancel()
        first.cancel()
        await withCheckedContinuation { continuation in
            _ = timers.schedule(after: .milliseconds(10)) { continuation.resume() }
        }
        #expect(called.withLock { $0 } == 0)
    }

    @Test func `may be set a hundred years ahead`() async throws {
        let timers = try #require(TimerThread.make())
        let late = timers.schedule(after: .longestWait) {}
        await withCheckedContinuation { continuation in
            _ = timers.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
        #expect(timers.count == 1)
        late.cancel()
    }
}
#endif
