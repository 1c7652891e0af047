// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The source of a manager's time: timeouts, polling, losses of sight, backoff, and the dates of its statistics.
///
/// The default is the machine's continuous clock. Tests give a ``ManualClock`` and take no real time.
public struct BlueCapClock: Sendable {
    private let now: @Sendable () -> Duration
    private let arm: @Sendable (Duration, @escaping @Sendable () -> Void) -> ClockTimer
    private let wallTime: @Sendable () -> Timestamp
    /// A Boolean value that is true for the machine's own time, which a thread can wait for without a timer.
    package private(set) var isContinuous = false

    /// Creates a clock from its three parts.
    ///
    /// - Parameters:
    ///   - elapsed: Time since a fixed moment; never goes back.
    ///   - schedule: Calls the closure once, from any thread, when the duration has passed, unless the timer is
    ///     cancelled before.
    ///   - date: Wall-clock time.
    public init(
        elapsed: @escaping @Sendable () -> Duration,
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> ClockTimer,
        date: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        now = elapsed
        arm = schedule
        wallTime = date
    }

    /// Creates a clock that sleeps on one of the standard library's kind. Each armed timer is one task; a manager arms
    /// one at a time.
    public init<Base: Clock<Duration> & Sendable>(
        _ base: Base, date: @escaping @Sendable () -> Timestamp = { .now }
    ) where Base.Instant: Sendable {
        let start = base.now
        self.init(
            elapsed: { start.duration(to: base.now) },
            schedule: { delay, body in
                let task = Task {
                    do { try await base.sleep(until: base.now.advanced(by: delay), tolerance: nil) } catch { return }
                    body()
                }
                return ClockTimer { task.cancel() }
            },
            date: date)
    }

    /// The machine's continuous clock.
    public static let continuous: BlueCapClock = {
        var clock = makeContinuous()
        clock.isContinuous = true
        return clock
    }()

    private static func makeContinuous() -> BlueCapClock {
        #if os(Linux)
        if let thread = TimerThread.make() {
            return BlueCapClock(elapsed: { TimerThread.elapsed }, schedule: { thread.schedule(after: $0, $1) })
        }
        #endif
        return BlueCapClock(ContinuousClock())
    }

    /// The time since the clock's own fixed moment.
    public var elapsed: Duration { now() }

    /// The wall-clock time now.
    public var date: Timestamp { wallTime() }

    /// Calls `body` once, from any thread, after a delay, unless the timer is cancelled before.
    ///
    /// - Parameters:
    ///   - delay: The time from now to the call; a longer one than a hundred years is cut to that.
    ///   - body: The function to call. It must not block.
    /// - Returns: A timer that cancels the call.
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ClockTimer {
        arm(min(delay, .longestWait), body)
    }

    /// Suspends for `duration`; not at all when that is zero or negative.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, at once.
    public func sleep(for duration: Duration) async throws(CancellationError) {
        if duration > .zero {
            try await SleepGate.sleep { schedule(after: duration, $0) }
        } else if Task.isCancelled {
            throw CancellationError()
        }
    }
}

extension BlueCapClock: CustomStringConvertible {
    /// The time that has passed on it, and the wall-clock time: `clock at 12.5 seconds, 2026-11-24T12:50:00.000Z`.
    public var description: String { "clock at \(elapsed), \(date)" }
}

/// Opened once by a timer or by cancellation, whichever is first, and waited for once.
final class SleepGate: Sendable {
    private enum State {
        case closed
        case waiting(CheckedContinuation<Void, Never>)
        case open
    }

    private let state = Locked(State.closed)

    /// Suspends until the timer that `schedule` sets calls back.
    static func sleep(
        _ schedule: (@escaping @Sendable () -> Void) -> ClockTimer
    ) async throws(CancellationError) {
        let gate = SleepGate()
        let timer = schedule { gate.open() }
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            timer.cancel()
            gate.open()
        }
        if Task.isCancelled { throw CancellationError() }
    }

    private func open() {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .open }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume()
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if case .open = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}

extension Timestamp {
    /// The system's wall-clock time.
    public static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(sinceEpoch: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }
}

/// A scheduled call that can be cancelled.
public struct ClockTimer: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a timer that `onCancel` cancels.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Cancels the call; does nothing if it was made or cancelled already.
    public func cancel() { onCancel() }
}
