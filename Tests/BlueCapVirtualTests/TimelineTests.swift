// SPDX-License-Identifier: MIT

import BlueCapCore
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
}
