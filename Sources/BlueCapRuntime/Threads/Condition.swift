// SPDX-License-Identifier: MIT

import BlueCapPlatform

// SAFETY: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; what leaves is sent, too,
// and the pointers never change. The lock keeps accesses apart, so they are not checked once more.
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
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        mutex.destroy()
    }

    /// Calls `body` with the value while holding the lock, and returns what `body` returns.
    @inlinable
    public func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return unsafe body(&value)
    }

    package func signal() { unsafe pthread_cond_signal(condition) }

    /// Sleeps while `predicate` holds, for `limit` of real time at most.
    package func wait(atMost limit: Duration?, while predicate: (borrowing Value) -> Bool) {
        mutex.lock()
        defer { mutex.unlock() }
        guard var limit else {
            while unsafe predicate(value) { unsafe pthread_cond_wait(condition, mutex.pointer) }
            return
        }
        limit = min(max(limit, .zero), .longestWait)
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = deadline.tv_nsec + Int(limit.components.attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(limit.components.seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        while unsafe predicate(value) {
            if unsafe pthread_cond_timedwait(condition, mutex.pointer, &deadline) == ETIMEDOUT { return }
        }
    }
}
