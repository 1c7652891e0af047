// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import Testing

@testable import BlueCapVirtual

@Suite("The time line", .timeLimit(.minutes(60)))
struct TimelineTests {
    /// Runs `body` on an executor with a time line over a manual clock.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (Timeline, ManualClock) -> Value
    ) async -> Value {
        let clock = ManualClock()
        let executor = VirtualExecutor()
        defer { executor.release() }
        return await withCheckedContinuation { continuation in
            executor.submit {
                continuation.resume(returning: body(Timeline(clock: clock.clock, executor: executor), clock))
            }
        }
    }

    @Test func `does things in the order of their times, and of request where times are equal`() async {
        let done = await run { timeline, clock in
            var done: [Int] = []
            for (number, time) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 0), (6, 30)] {
                timeline.schedule(at: .milliseconds(time)) { done.append(number) }
            }
            clock.advance(to: .seconds(1))
            timeline.fire()
            return done
        }
        #expect(done == [5, 2, 4, 3, 1, 6])
    }

    @Test
    func `does what follows from an entry before what was to happen later, however late the clock is looked at`() async
    {
        let done = await run { timeline, clock in
            var done: [Int] = []
            timeline.schedule(at: .seconds(30)) { done.append(3) }
            timeline.schedule(at: .seconds(1)) {
                done.append(1)
                timeline.schedule(after: .seconds(1)) { done.append(2) }
            }
            clock.advance(to: .seconds(60))
            timeline.fire()
            return done
        }
        #expect(done == [1, 2, 3])
    }

    @Test func `does not do what is not due, nor what was taken back`() async {
        let done = await run { timeline, clock in
            var done: [Int] = []
            timeline.schedule(after: .seconds(2)) { done.append(1) }
            timeline.cancel(timeline.schedule(after: .seconds(1)) { done.append(2) })
            clock.advance(to: .seconds(1))
            timeline.fire()
            return done
        }
        #expect(done.isEmpty)
    }

    @Test func `an entry that is taken back again, or after it was done, takes nothing else with it`() async {
        let done = await run { timeline, clock in
            var done: [Int] = []
            let first = timeline.schedule(after: .seconds(1)) { done.append(1) }
            timeline.cancel(first)
            let second = timeline.schedule(after: .seconds(1)) { done.append(2) }
            timeline.cancel(first)
            clock.advance(to: .seconds(1))
            timeline.fire()
            timeline.schedule(after: .zero) { done.append(3) }
            timeline.cancel(second)
            timeline.fire()
            return done
        }
        #expect(done == [2, 3])
    }

    @Test func `arms no timer for what was taken back`() async {
        let clock = ManualClock()
        let executor = VirtualExecutor()
        defer { executor.release() }
        await withCheckedContinuation { continuation in
            executor.submit {
                let timeline = Timeline(clock: clock.clock, executor: executor)
                timeline.start {}
                let entry = timeline.schedule(after: .seconds(1)) {}
                timeline.schedule(after: .seconds(2)) {}
                #expect(clock.nextDeadline == .seconds(1))
                timeline.cancel(entry)
                #expect(clock.nextDeadline == .seconds(2))
                #expect(clock.timerCount == 1)
                continuation.resume()
            }
        }
    }

    @Test func `hands over what was posted after the entry that posted it`() async {
        let done = await run { timeline, _ in
            var done: [Int] = []
            timeline.schedule(after: .zero) {
                timeline.post { done.append(2) }
                done.append(1)
            }
            timeline.schedule(after: .zero) { done.append(3) }
            timeline.fire()
            return done
        }
        #expect(done == [1, 2, 3])
    }

    @Test func `does thousands of things in order`() async {
        let times = await run { timeline, clock in
            var generator = SeededGenerator(seed: 9)
            var times: [Duration] = []
            for _ in 0..<5000 {
                let time = generator.nextDuration(upTo: .seconds(10))
                timeline.schedule(at: time) { times.append(time) }
            }
            clock.advance(to: .seconds(10))
            timeline.fire()
            return times
        }
        #expect(times.count == 5000)
        #expect(times == times.sorted())
    }

    @Test func `does each patient entry at its time where the clock is moved by hand`() async {
        let done = await run { timeline, clock in
            var done: [Int] = []
            timeline.start {}
            timeline.schedule(at: .milliseconds(3), isPatient: true) { done.append(3) }
            timeline.schedule(at: .milliseconds(1), isPatient: true) { done.append(1) }
            #expect(clock.nextDeadline == .milliseconds(1))
            clock.advance(to: .milliseconds(2))
            timeline.fire()
            #expect(clock.nextDeadline == .milliseconds(3))
            return done
        }
        #expect(done == [1])
    }
}

/// Where the time is the machine's own, the executor's thread waits for it.
@Suite("The time line on the machine's own time", .timeLimit(.minutes(60)))
struct MachineTimelineTests {
    private struct Outcome {
        var done: [Int] = []
        var turns = 0
    }

    /// Schedules numbered entries, at times in milliseconds from now, and returns when as many were done as there are.
    private func play(_ entries: [(number: Int, time: Int, isPatient: Bool)]) async -> (Outcome, foreign: UInt64) {
        let executor = VirtualExecutor()
        defer { executor.release() }
        let outcome = Locked(Outcome())
        let timeline = Confined(on: executor) { Timeline(clock: .continuous, executor: executor) }
        await withCheckedContinuation { continuation in
            timeline.perform { line in
                line.start {
                    outcome.withLock { $0.turns += 1 }
                    timeline.with { $0.fire() }
                }
                let now = line.now
                for (number, time, isPatient) in entries {
                    line.schedule(at: now + .milliseconds(time), isPatient: isPatient) {
                        let count = outcome.withLock { outcome in
                            outcome.done.append(number)
                            return outcome.done.count
                        }
                        if count == entries.count { continuation.resume() }
                    }
                }
            }
        }
        let foreign = executor.foreignCount
        timeline.perform { $0.clear() }
        return (outcome.withLock { $0 }, foreign)
    }

    @Test func `wakes no other thread`() async {
        let (outcome, foreign) = await play([(1, 1, false), (2, 20, false), (3, 40, true), (4, 60, false)])
        #expect(outcome.done == [1, 2, 3, 4])
        // The first call came from here, and no later one.
        #expect(foreign == 1)
    }

    @Test func `takes patient entries together`() async {
        let (outcome, _) = await play([(3, 503, true), (1, 501, true), (2, 502, true), (4, 504, true)])
        #expect(outcome.done == [1, 2, 3, 4])
        #expect(outcome.turns == 1)
    }

    @Test func `does no patient entry after a later one`() async {
        let (outcome, _) = await play([(1, 1, true), (4, 30, true), (2, 2, false), (3, 29, false)])
        #expect(outcome.done == [1, 2, 3, 4])
    }

    @Test func `comes also while the executor always has work`() async {
        let executor = VirtualExecutor()
        defer { executor.release() }
        let isOver = Locked(false)
        @Sendable func work() {
            if !isOver.withLock({ $0 }) { executor.submit(work) }
        }
        await withCheckedContinuation { continuation in
            executor.submit {
                work()
                executor.setAlarm(at: BlueCapClock.continuous.elapsed + .milliseconds(5)) {
                    isOver.withLock { $0 = true }
                    continuation.resume()
                }
            }
        }
        #expect(isOver.withLock { $0 })
    }
}
