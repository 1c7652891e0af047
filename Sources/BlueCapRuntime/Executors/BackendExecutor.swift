// SPDX-License-Identifier: MIT

/// The one thread of control from a radio to the streams, on which a backend's callbacks, the backend itself and the
/// manager actors over it run.
///
/// It runs one thing at a time, in the order of arrival. As a task executor it can also run the user's own tasks (`run`
/// of the managers), which saves the hops between threads; such tasks must never block it.
public protocol BackendExecutor: SerialExecutor, TaskExecutor {
    /// Runs `body` on the executor, after the jobs and bodies submitted or enqueued before it.
    ///
    /// Callable from anywhere; never runs `body` before it returns when called on the executor itself.
    func submit(_ body: @escaping @Sendable () -> Void)
}
