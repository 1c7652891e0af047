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

    /// The machine's continuous clock with the executor's own timers: a task on the executor that sleeps by it wakes no
    /// other thread. Nil, which is the default, where the executor has no timers.
    var timerClock: BlueCapClock? { get }

    /// Has the executor pause after it was woken by its platform, and take everything that has come in the pause
    /// together. Call it on the executor; an executor that cannot pause does nothing, which is the default.
    ///
    /// - Parameter pause: The length of each pause; zero for none.
    func moderate(by pause: Duration)
}

extension BackendExecutor {
    /// Nil: the executor has no timers of its own.
    public var timerClock: BlueCapClock? { nil }

    /// Does nothing: the executor cannot pause.
    ///
    /// - Parameter pause: The length of each pause; zero for none.
    public func moderate(by pause: Duration) {}
}
