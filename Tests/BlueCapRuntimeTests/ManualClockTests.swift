// SPDX-License-Identifier: MIT

import BlueCapTestExecutor
import Testing

@testable import BlueCapRuntime

@Suite("Manual clock", .timeLimit(.minutes(60)))
struct ManualClockTests {
    @Test
    func `timers fire in the order of their times, of equals the one set first, each at its own time`() {
        let manual = ManualClock()
        let fired = Locked<[String]>([])
        for (name, delay) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2)] {
            _ = manual.clock.schedule(after: .seconds(delay)) {
                fired.withLock { $0.append("\(name)@\(manual.now.elapsed)") }
            }
        }
        manual.advance(by: .seconds(2))
        #expect(fired.withLock { $0 } == ["a@1.0 seconds", "b1@2.0 seconds", "b2@2.0 seconds"])
        manual.advance(by: .seconds(5))
        #expect(fired.withLock { $0.last } == "c@3.0 seconds")
        #expect(manual.now.elapsed == .seconds(7))
        #expect(manual.timerCount == 0)
    }

    @Test func `a timer that a firing timer sets fires in the same advance, if it falls due`() {
        let manual = ManualClock()
        let fired = Locked<[Duration]>([])
        @Sendable func again() {
            fired.withLock { $0.append(manual.now.elapsed) }
            _ = manual.clock.schedule(after: .seconds(1), again)
        }
        _ = manual.clock.schedule(after: .seconds(1), again)
        manual.advance(by: .milliseconds(3500))
        #expect(fired.withLock { $0 } == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(manual.nextDeadline == .seconds(4))
    }

    @Test func `a clock says what time it is`() {
        let manual = ManualClock(date: Timestamp(sinceEpoch: .seconds(60)))
        manual.advance(by: .milliseconds(12_500))
        #expect("\(manual)" == "manual clock at 12.5 seconds")
        #expect("\(manual.now)" == "12.5 seconds")
        #expect("\(manual.clock)" == "clock at 12.5 seconds, 1970-01-01T00:01:12.500Z")
    }

    @Test func `a cancelled timer does not fire, also when an earlier one cancels it`() {
        let manual = ManualClock()
        let fired = Locked(0)
        let late = manual.clock.schedule(after: .seconds(2)) { fired.withLock { $0 += 1 } }
        _ = manual.clock.schedule(after: .seconds(1)) { late.cancel() }
        manual.advance(by: .seconds(3))
        late.cancel()
        #expect(fired.withLock { $0 } == 0)
    }

    @Test func `time that is advanced to the past does not go back`() {
        let manual = ManualClock()
        manual.advance(by: .seconds(5))
        manual.advance(to: .seconds(2))
        #expect(manual.now.elapsed == .seconds(5))
    }

    @Test func `a negative delay is due at once, on the next advance`() {
        let manual = ManualClock()
        let fired = Locked(false)
        _ = manual.clock.schedule(after: .seconds(-5)) { fired.withLock { $0 = true } }
        #expect(manual.nextDeadline == .zero)
        manual.advance(by: .zero)
        #expect(fired.withLock { $0 })
    }

    @Test func `advancing to the next timer tells whether there was one`() {
        let manual = ManualClock()
        #expect(!manual.advanceToNext())
        _ = manual.clock.schedule(after: .seconds(4)) {}
        #expect(manual.advanceToNext())
        #expect(manual.now.elapsed == .seconds(4))
    }

    @Test func `dates follow the clock from the date it was started with`() {
        let manual = ManualClock(date: Timestamp(sinceEpoch: .seconds(1000)))
        manual.advance(by: .seconds(5))
        #expect(manual.clock.date == Timestamp(sinceEpoch: .seconds(1005)))
        #expect(manual.clock.elapsed == .seconds(5))
    }

    @Test
    func `waiting for a timer returns at once for one that is set, and waits for one that is not`() async {
        let manual = ManualClock()
        _ = manual.clock.schedule(after: .seconds(5)) {}
        await manual.waitForTimer(within: .seconds(5))
        let executor = TestExecutor()
        let isDone = Locked(false)
        let task = Task(executorPreference: executor) {
            await manual.waitForTimer(within: .seconds(1))
            isDone.withLock { $0 = true }
        }
        await executor.idle()
        _ = manual.clock.schedule(after: .seconds(2)) {}
        await executor.idle()
        #expect(!isDone.withLock { $0 })
        _ = manual.clock.schedule(after: .seconds(1)) {}
        await task.value
        #expect(isDone.withLock { $0 })
    }

    @Test func `waiting for a timer goes by the time at which the timer is set`() async {
        let manual = ManualClock()
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) { await manual.waitForTimer(within: .seconds(1)) }
        await executor.idle()
        manual.advance(by: .seconds(10))
        _ = manual.clock.schedule(after: .seconds(1)) {}
        await task.value
        #expect(manual.timerCount == 1)
    }

    @Test func `waiting for a timer ends with its task, and is not resumed again by the timer`() async {
        let manual = ManualClock()
        let executor = TestExecutor()
        let waiting = Task(executorPreference: executor) { await manual.waitForTimer(within: .seconds(1)) }
        await executor.idle()
        waiting.cancel()
        await waiting.value
        _ = manual.clock.schedule(after: .seconds(1)) {}
        let late = Task(executorPreference: executor) {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            await manual.waitForTimer(within: .milliseconds(1))
        }
        await late.value
        #expect(manual.timerCount == 1)
    }

    @Test func `a sleeper wakes when its time has come, not before`() async throws {
        let manual = ManualClock()
        let executor = TestExecutor()
        let woke = Locked(false)
        let task = Task(executorPreference: executor) {
            try await manual.clock.sleep(for: .seconds(2))
            woke.withLock { $0 = true }
        }
        await executor.idle()
        manual.advance(by: .seconds(1))
        await executor.idle()
        #expect(!woke.withLock { $0 })
        manual.advance(by: .seconds(1))
        try await task.value
        #expect(manual.timerCount == 0)
    }

    @Test func `a sleeper that is cancelled wakes at once with an error, and its timer is gone`() async {
        let manual = ManualClock()
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) { try await manual.clock.sleep(for: .seconds(2)) }
        await executor.idle()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(manual.timerCount == 0)
    }

    @Test func `a task that was cancelled before does not sleep`() async {
        let manual = ManualClock()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await manual.sleep(until: .init(elapsed: .seconds(2)), tolerance: nil)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(manual.timerCount == 0)
    }

    @Test
    func `a clock of the standard library's kind keeps its time, and its timers can be taken back`() async throws {
        let manual = ManualClock()
        let clock = BlueCapClock(manual)
        let fired = Locked<[Int]>([])
        let cancelled = clock.schedule(after: .seconds(1)) { fired.withLock { $0.append(1) } }
        await manual.waitForTimer(within: .seconds(1))
        cancelled.cancel()
        _ = clock.schedule(after: .seconds(3)) { fired.withLock { $0.append(3) } }
        let executor = TestExecutor()
        let sleeper = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(3)) }
        while manual.timerCount != 2, !Task.isCancelled { await Task.yield() }
        manual.advance(by: .seconds(3))
        try await sleeper.value
        while fired.withLock({ $0.isEmpty }), !Task.isCancelled { await Task.yield() }
        #expect(fired.withLock { $0 } == [3])
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func `a time that the machine's clock could not add to its own is cut to a hundred years`() {
        let manual = ManualClock()
        let timer = manual.clock.schedule(after: .seconds(Int64.max)) {}
        #expect(manual.nextDeadline == .seconds(3_155_760_000))
        timer.cancel()
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func `a sleep that is over when it begins returns at once`(_ duration: Duration) async throws {
        let manual = ManualClock()
        manual.advance(by: .seconds(1))
        try await manual.sleep(until: manual.now.advanced(by: duration), tolerance: nil)
        try await manual.sleep(for: duration)
        try await manual.clock.sleep(for: duration)
        #expect(manual.timerCount == 0)
    }

    @Test func `a sleep that is over when it begins throws in a cancelled task all the same`() async {
        let manual = ManualClock()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await manual.clock.sleep(for: .zero)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
