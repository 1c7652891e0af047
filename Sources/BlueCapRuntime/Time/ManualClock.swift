// SPDX-License-Identifier: MIT

/// A clock that stands still until the test advances it.
///
/// Timers fire on the thread that advances the clock, in the order of their times, before the advancing call returns.
/// Give ``clock`` to a manager or a virtual radio.
public final class ManualClock: Clock, Sendable {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since the clock was made.
        public var elapsed: Duration

        /// Returns the moment that is later by a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        /// Returns the time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        /// Returns whether the left moment is earlier than the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    /// Names a timer by when it is due, and when it was set.
    private struct TimerKey: Equatable {
        let deadline: Duration
        let order: UInt64

        static func < (left: Self, right: Self) -> Bool { (left.deadline, left.order) < (right.deadline, right.order) }
    }

    private struct Timer {
        let key: TimerKey
        let body: @Sendable () -> Void
    }

    private struct Waiter {
        let number: UInt64
        let duration: Duration
        let resume: @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        var order: UInt64 = 0
        /// The earliest comes last.
        var timers: [Timer] = []
        var waiters: [Waiter] = []

        /// Where a timer stands, or would stand.
        func place(of key: TimerKey) -> Int {
            var (start, end) = (0, timers.count)
            while start < end {
                let middle = (start + end) / 2
                if key < timers[middle].key { start = middle + 1 } else { end = middle }
            }
            return start
        }

        mutating func remove(_ key: TimerKey) {
            let place = place(of: key)
            if place < timers.count, timers[place].key == key { timers.remove(at: place) }
        }
    }

    private let state = Locked(State())
    private let start: Timestamp

    /// Creates a clock at zero, whose wall-clock time starts at `date`.
    public init(date: Timestamp = Timestamp(sinceEpoch: .zero)) { start = date }

    /// The clock as managers and radios take it.
    public var clock: BlueCapClock {
        BlueCapClock(
            elapsed: { self.now.elapsed },
            schedule: { self.schedule(after: $0, $1) },
            date: { Timestamp(sinceEpoch: self.start.sinceEpoch + self.now.elapsed) })
    }

    /// The time at which the clock stands.
    public var now: Instant { Instant(elapsed: state.withLock { $0.now }) }

    /// The resolution of a nanosecond; the clock itself rounds nothing.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Suspends until the clock is advanced to a deadline; not at all when it stands there or later.
    ///
    /// - Parameters:
    ///   - deadline: The moment at which to resume.
    ///   - tolerance: Ignored: the clock resumes exactly at the deadline.
    /// - Throws: `CancellationError` when the task is cancelled, at once.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        // A timer at the deadline, not after a delay: the clock may be advanced while this begins to sleep.
        try await SleepGate.sleep { body in
            schedule(body) { now in deadline.elapsed > now ? deadline.elapsed : nil }
        }
    }

    /// The time at which the next timer is due, counted from when the clock was made; nil if none is set.
    public var nextDeadline: Duration? { state.withLock { $0.timers.last?.key.deadline } }

    /// The number of timers that are set.
    public var timerCount: Int { state.withLock { $0.timers.count } }

    /// Advances by `duration`, firing the timers that fall due on the way, each at its own time.
    public func advance(by duration: Duration) { advance(to: now.elapsed + duration) }

    /// Advances to a time since the clock was made, firing the timers that fall due on the way, each at its own time.
    public func advance(to target: Duration) {
        while fireNext(upTo: target) {}
        state.withLock { $0.now = max($0.now, target) }
    }

    /// Advances to the next timer and fires it.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func advanceToNext() -> Bool { fireNext(upTo: nil) }

    /// Advances to the next timer and fires it, unless it is due after `limit`.
    ///
    /// - Returns: Whether it was fired.
    package func advanceToNext(upTo limit: Duration) -> Bool { fireNext(upTo: limit) }

    /// Suspends until a timer is set that falls due within `duration`, so that advancing by it will do something, or
    /// until the task is cancelled.
    ///
    /// The duration counts from the clock's time when a timer is set, not from that of this call.
    public func waitForTimer(within duration: Duration) async {
        let number = state.withLock { state in
            state.order += 1
            return state.order
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if let next = state.timers.last?.key, next.deadline <= state.now + duration { return true }
                    // The handler below ran already, or finds the waiter that is added here.
                    if Task.isCancelled { return true }
                    state.waiters.append(Waiter(number: number, duration: duration) { continuation.resume() })
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.resume()
        }
    }

    private func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ClockTimer {
        schedule(body) { $0 + max(delay, .zero) }
    }

    /// Sets a timer at a time that follows from the clock's; nil calls `body` at once.
    private func schedule(
        _ body: @escaping @Sendable () -> Void, at deadline: (_ now: Duration) -> Duration?
    ) -> ClockTimer {
        let (key, due): (TimerKey?, [Waiter]) = state.withLock { state in
            guard let deadline = deadline(state.now) else { return (nil, []) }
            state.order += 1
            let key = TimerKey(deadline: deadline, order: state.order)
            state.timers.insert(Timer(key: key, body: body), at: state.place(of: key))
            if state.waiters.isEmpty { return (key, []) }
            let now = state.now
            let due = state.waiters.filter { now + $0.duration >= deadline }
            state.waiters.removeAll { now + $0.duration >= deadline }
            return (key, due)
        }
        guard let key else {
            body()
            return ClockTimer {}
        }
        for waiter in due { waiter.resume() }
        return ClockTimer { self.state.withLock { $0.remove(key) } }
    }

    private func fireNext(upTo limit: Duration?) -> Bool {
        let timer: Timer? = state.withLock { state in
            guard let timer = state.timers.last else { return nil }
            if let limit, timer.key.deadline > limit { return nil }
            state.timers.removeLast()
            state.now = max(state.now, timer.key.deadline)
            return timer
        }
        timer?.body()
        return timer != nil
    }
}

extension ManualClock: CustomStringConvertible {
    /// The time at which it stands: `manual clock at 12.5 seconds`.
    public var description: String { "manual clock at \(now)" }
}

extension ManualClock.Instant: CustomStringConvertible {
    /// The time since the clock was made: `12.5 seconds`.
    public var description: String { elapsed.description }
}
