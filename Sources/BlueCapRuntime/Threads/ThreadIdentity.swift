// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// Identifies a thread of this process while the thread lives.
package struct ThreadIdentity {
    /// The thread's handle: a number with glibc, the address of the thread's own memory elsewhere.
    package let number: UInt

    /// The calling thread.
    package static var current: Self {
        #if canImport(Glibc)
        Self(number: pthread_self())
        #else
        unsafe Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}

extension ThreadIdentity {
    /// Starts a thread that runs `body` once and then ends.
    ///
    /// It traps when the system refuses to start a thread.
    package static func startDetached(_ body: @escaping @Sendable () -> Void) {
        let argument = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = unsafe pthread_create(
            &thread, nil,
            { pointer in
                unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, argument)
        #else
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { pointer in
                if let pointer = unsafe pointer {
                    unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
                }
                return nil
            }, argument)
        #endif
        precondition(result == 0, "the system refused to start a thread (error \(result))")
        #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
    }
}

private final class ThreadBody {
    let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }
}
