// SPDX-License-Identifier: MIT

// SAFETY: `value` comes by `sending` and is touched only between lock and unlock of `mutex`; values that leave are
// sent, too, and `mutex` itself never changes. The lock keeps accesses apart, so they are not checked once more.
/// A value behind a pthread lock.
///
/// The lock is pthread's rather than the standard library's `Mutex`, because the thread sanitizer on Linux cannot see
/// the futex of the latter and reports false races. Hold the lock for a few instructions only: never resume a
/// continuation and never call foreign code while you hold it.
@_documentation(visibility: internal)
@safe
public final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex: PlatformMutex
    @usableFromInline @exclusivity(unchecked) var value: Value

    /// Puts a value behind a lock of its own.
    @inlinable
    public init(_ value: sending Value) {
        mutex = PlatformMutex()
        unsafe self.value = value
    }

    @inlinable
    deinit { mutex.destroy() }

    /// Calls `body` with the value while holding the lock, and returns the result of `body`.
    ///
    /// - Throws: The error that `body` throws.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try unsafe body(&value)
    }
}
