// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// An actor that runs on a ``BackendExecutor``: a backend, or the manager that shares the executor with it.
///
/// Its `unownedExecutor` is ``executor``'s.
public protocol RadioActor: Actor {
    /// The thread of control.
    nonisolated var executor: any BackendExecutor { get }
}

extension RadioActor {
    /// Calls the actor from code that runs on its executor without the compiler's knowledge: the manager's calls of its
    /// backend, the backend's events, replies and callbacks of the loop, what was submitted to the executor.
    ///
    /// Here and in ``callback(_:)`` it is assumed, nowhere else. It is checked, in release builds too: from anywhere else it
    /// traps.
    package nonisolated func onExecutor<Result: Sendable>(_ body: (isolated Self) -> Result) -> Result {
        // Right: the runtime asks the executor, by `isIsolatingCurrentContext` and `checkIsolated`, whether it runs this.
        assumeIsolated(body)
    }

    /// Calls the actor soon, in the order of the calls, without a task; for what comes on any thread, as the ends of
    /// streams, cancellation and answers of the app, and for events, which are not told from inside a command. Does nothing
    /// once the actor is gone.
    package nonisolated func later(_ body: @escaping @Sendable (isolated Self) -> Void) {
        executor.submit(callback(body))
    }

    /// A callback, to be called on the executor, that does nothing once the actor is gone.
    package nonisolated func callback(_ body: @escaping @Sendable (isolated Self) -> Void) -> @Sendable () -> Void {
        // Right as in `onExecutor`: an isolated parameter is passed as any other, and the call is checked. Done once for the
        // callback, as it is called for every value.
        let body = unsafe unsafeBitCast(body, to: (@Sendable (Self) -> Void).self)
        return { [weak self] in
            guard let self else { return }
            self.checkExecutor()
            body(self)
        }
    }

    /// A callback with an argument, to be called on the executor, that does nothing once the actor is gone.
    package nonisolated func callback<Argument: Sendable>(
        _ body: @escaping @Sendable (isolated Self, Argument) -> Void
    ) -> @Sendable (Argument) -> Void {
        // Right as in the callback without an argument.
        let body = unsafe unsafeBitCast(body, to: (@Sendable (Self, Argument) -> Void).self)
        return { [weak self] argument in
            guard let self else { return }
            self.checkExecutor()
            body(self, argument)
        }
    }

    /// Traps off the executor.
    private nonisolated func checkExecutor() {
        // The executor itself is asked first: the runtime's way to it is long.
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            executor.isIsolatingCurrentContext() == true
        {
            return
        }
        preconditionIsolated()
    }
}
