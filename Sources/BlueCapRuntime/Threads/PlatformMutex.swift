// SPDX-License-Identifier: MIT

import BlueCapPlatform

// SAFETY: the pointer never changes, a pthread mutex may be used from any thread, and the one object that made it
// destroys it at its own end, when no other thread can use it.
/// A pthread mutex at a fixed address.
@safe
@usableFromInline
struct PlatformMutex: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline
    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(pointer, nil)
    }

    @usableFromInline
    func lock() { unsafe pthread_mutex_lock(pointer) }

    @usableFromInline
    func unlock() { unsafe pthread_mutex_unlock(pointer) }

    /// Frees the mutex, which is not used again.
    @usableFromInline
    func destroy() {
        unsafe pthread_mutex_destroy(pointer)
        unsafe pointer.deallocate()
    }
}
