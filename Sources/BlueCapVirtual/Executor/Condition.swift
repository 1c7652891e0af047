// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value behind a pthread lock, with a condition that its one waiting thread sleeps on.
// Right: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; what leaves is sent, too, and the
// pointers never change.
@safe
final class Condition<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe condition = .allocate(capacity: 1)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    func signal() { unsafe pthread_cond_signal(condition) }

    /// Sleeps while `predicate` holds, for `limit` of real time at most.
    func wait(atMost limit: Duration?, while predicate: (borrowing Value) -> Bool) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        guard let limit else {
            while predicate(value) { unsafe pthread_cond_wait(condition, mutex) }
            return
        }
        var deadline = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = deadline.tv_nsec + Int(limit.components.attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(limit.components.seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        while predicate(value) {
            if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return }
        }
    }
}
