// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import CBlueCapLinux

/// The thread that calls the bodies of the continuous clock's timers. It exists from the first timer on, and sleeps
/// while none is due.
///
/// `Task.sleep` has two costs on Linux that no timer of a manager may have. Swift's pool runs on Dispatch, which wakes
/// once a second from the first task on to look at its threads. And a sleep that is cancelled stays in Dispatch's list
/// until its time has come: the deadlines of some thousand answered requests a second made each more expensive than
/// the one before.
final class TimerThread: Sendable {
    /// A struct, as a closure that goes through generic code is wrapped each time.
    private struct Action {
        let run: @Sendable () -> Void
    }

    private struct State {
        var queue = DeadlineQueue<Action>()
        /// When the kernel's timer expires; nil for never.
        var armed: Duration?
        var hasThread = false
    }

    private let state = Locked(State())
    /// The kernel's timer; open for as long as the process lives.
    private let timer: Int32

    private init(timer: Int32) { self.timer = timer }

    /// Makes the thread's state; nil if the process may not open one more descriptor.
    static func make() -> TimerThread? {
        let timer = bluecap_timer_create()
        return timer < 0 ? nil : TimerThread(timer: timer)
    }

    /// The time since the machine was started.
    static var elapsed: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The number of timers that have not come, and are not cancelled.
    var count: Int { state.withLock { $0.queue.count } }

    /// The number of timers in memory.
    var storedCount: Int { state.withLock { $0.queue.heapCount } }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ClockTimer {
        let deadline = Self.elapsed + max(delay, .zero)
        let (token, needsThread) = state.withLock { state in
            let token = state.queue.add(at: deadline, Action(run: body))
            if deadline < state.armed ?? .longestWait * 2 { arm(&state) }
            defer { state.hasThread = true }
            return (token, !state.hasThread)
        }
        if needsThread { ThreadIdentity.startDetached { self.work() } }
        return ClockTimer { [self] in
            // Released outside of the lock. The kernel's timer stays as it is: when it expires, the next one is set.
            _ = state.withLock { $0.queue.remove(token) }
        }
    }

    private func work() -> Never {
        unsafe bluecap_thread_setup("bluecap-clock")
        while true {
            bluecap_timer_wait(timer)
            while let action = next() { action.run() }
        }
    }

    /// The next action that is due; nil, with the kernel's timer set, if there is none.
    private func next() -> Action? {
        state.withLock { state in
            if let action = state.queue.popDue(at: Self.elapsed) { return action }
            arm(&state)
            return nil
        }
    }

    private func arm(_ state: inout State) {
        state.armed = state.queue.next
        let (seconds, attoseconds) = (state.armed ?? .zero).components
        bluecap_timer_set(timer, seconds * 1_000_000_000 + attoseconds / 1_000_000_000 + (state.armed == nil ? 0 : 1))
    }
}
#endif
