// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A value behind a pthread lock.
///
/// pthread rather than the standard library's `Mutex`, whose futex the thread sanitizer on Linux cannot see, so that it
/// reports races that are none. Hold it for a few instructions; never resume a continuation or call out inside.
// Right: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; what leaves is sent, too, and
// `mutex` itself never changes. The lock keeps accesses apart, so they are not checked once more.
@safe
package final class Locked<Value>: @unchecked Sendable {
    @exclusivity(unchecked) private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        unsafe self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value)
    }
}
