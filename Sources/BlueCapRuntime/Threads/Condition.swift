// SPDX-License-Identifier: MIT

import BlueCapPlatform

// SAFETY: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; values that leave are
// sent, too, and the pointers never change. The lock keeps accesses apart, so they are not checked once more.
/// A value behind a pthread lock, with a condition that its one waiting thread sleeps on.
@_documentation(visibility: internal)
@safe
public final class Condition<Value>: @unchecked Sendable {
    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline let mutex = PlatformMutex()
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ value: sending Value) {
        unsafe self.value = value
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
        unsafe pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        mutex.destroy()
    }

    /// Calls `body` with the value while holding the lock, and returns the result of `body`.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return unsafe body(&value)
    }

    package func signal() { unsafe pthread_cond_signal(condition) }

    /// Sleeps while `predicate` holds, for `limit` at most of the time that passes evenly, whatever the clock on the
    /// wall is set to.
    package func wait(atMost limit: Duration?, while predicate: (borrowing Value) -> Bool) {
        mutex.lock()
        defer { mutex.unlock() }
        guard var limit else {
            while unsafe predicate(value) { unsafe pthread_cond_wait(condition, mutex.pointer) }
            return
        }
        limit = min(max(limit, .zero), .longestWait)
        let deadline = Self.now + limit
        while unsafe predicate(value) {
            if sleep(until: deadline) == ETIMEDOUT { return }
        }
    }

    /// Waits for a signal.
    ///
    /// - Returns: `ETIMEDOUT` when the deadline came first.
    private func sleep(until deadline: Duration) -> Int32 {
        #if canImport(Darwin)
        // There a condition has no clock, and waits for a time from now.
        var time = timespec(max(deadline - Self.now, .zero))
        return unsafe pthread_cond_timedwait_relative_np(condition, mutex.pointer, &time)
        #else
        var time = timespec(deadline)
        return unsafe pthread_cond_timedwait(condition, mutex.pointer, &time)
        #endif
    }

    private static var now: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension timespec {
    /// A duration as the system's type, clamped to its range.
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: .init(clamping: seconds), tv_nsec: .init(attoseconds / 1_000_000_000))
    }
}
