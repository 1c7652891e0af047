// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Glibc

/// A value behind a pthread mutex. The standard library's `Mutex` is a bare futex on Linux, which the thread sanitizer
/// cannot see.
// Right: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; what leaves is sent, too, and `mutex`
// itself never changes.
@safe
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
#endif
