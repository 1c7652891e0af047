// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import Logging

extension VirtualRadio {
    /// Runs `body` on a new radio with a manual clock of its own. See ``run(limit:patience:_:)``.
    ///
    /// - Parameters:
    ///   - seed: Where all chance comes from.
    ///   - noise: The standard deviation of the noise on signal strengths, in dB.
    ///   - limit: How much simulated time the body may take.
    ///   - patience: How much real time to wait for other threads when nothing is left to happen.
    ///   - body: Builds the world and plays in it.
    /// - Throws: The error that `body` throws, or ``VirtualRunError``.
    @concurrent
    public static func run<Value: Sendable>(
        seed: UInt64 = 1, noise: Double = 2, limit: Duration = .seconds(3600), patience: Duration = .seconds(30),
        _ body: sending @escaping (VirtualRadio) async throws -> Value
    ) async throws -> Value {
        let radio = VirtualRadio(seed: seed, clock: ManualClock(), noise: noise)
        return try await radio.run(limit: limit, patience: patience, body)
    }

    /// Runs `body` on the radio's executor, and moves the manual clock to its next timer whenever that executor has
    /// nothing to do, so that simulated time passes as fast as the machine can think.
    ///
    /// The events of a run are a function of the seed and of the body's calls, as long as all participants run on the
    /// radio's executor: the body, its child tasks, actors without an executor of their own, managers over the radio's
    /// backends. Unstructured tasks (`Task { … }`), the main actor and other threads are outside of that promise: while
    /// the body waits for them, the clock moves on if a timer is set. So it does during a `Task.sleep`, which takes
    /// real time: sleep on ``clock`` instead.
    ///
    /// A body that waits for something that cannot happen is cancelled, when no timer is left and no job has come from
    /// another thread for `patience` of real time, or when `limit` has passed. The run then throws the reason. A body
    /// that does not end within another `limit` and `patience` after that traps, with the reason as message, rather
    /// than hang.
    ///
    /// On a clock that is not manual the body just runs on the executor.
    ///
    /// Where the clock moved by a second or more before a task outside of the executor had its turn, a warning in the
    /// log of the label `bluecap.virtual` says so at the end, once.
    ///
    /// - Parameters:
    ///   - limit: How much simulated time the body may take.
    ///   - patience: How much real time to wait for other threads when nothing is left to happen.
    ///   - body: Builds the world and plays in it.
    /// - Throws: The error that `body` throws, or ``VirtualRunError``.
    @concurrent
    public func run<Value: Sendable>(
        limit: Duration = .seconds(3600), patience: Duration = .seconds(30),
        _ body: sending @escaping (VirtualRadio) async throws -> Value
    ) async throws -> Value {
        try await run(limit: limit, patience: patience, noticing: { Self.logger.log(level: .warning, "\($0)") }, body)
    }

    private static let logger = Logger(label: "bluecap.virtual")

    /// Runs `body` as ``run(limit:patience:_:)`` does.
    ///
    /// - Parameter notice: Takes the notice about tasks outside of the executor, once, if there is one.
    @concurrent
    package func run<Value: Sendable>(
        limit: Duration = .seconds(3600), patience: Duration = .seconds(30),
        noticing notice: @Sendable (String) -> Void,
        _ body: sending @escaping (VirtualRadio) async throws -> Value
    ) async throws -> Value {
        guard let manualClock else {
            return try await withTaskExecutorPreference(executor) { try await body(self) }
        }
        let canceller = Canceller()
        let driver = RunDriver(
            clock: manualClock, limit: manualClock.now.elapsed + limit, patience: patience,
            onFailure: { canceller.cancel() })
        try beginDriving()
        let executor = executor
        let task = Task(executorPreference: executor) {
            executor.setIdle { driver.idle($0) }
            defer {
                driver.finish(executor.counts)
                executor.setIdle(nil)
            }
            return try await body(self)
        }
        canceller.set(task.cancel)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        endDriving()
        if let text = driver.outside.notice { notice(text) }
        if let failure = driver.failure { throw failure }
        return try result.get()
    }

    func beginDriving() throws(VirtualRunError) {
        let isFree = participants.withLock { participants in
            defer { participants.isDriven = true }
            return !participants.isDriven
        }
        if !isFree {
            throw .notPossible("the radio's clock is being moved already: one run or advance at a time")
        }
    }

    func endDriving() { participants.withLock { $0.isDriven = false } }
}

/// Cancels a task that does not exist yet, or does.
private final class Canceller: Sendable {
    private struct State {
        var isCancelled = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    func set(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}

/// The reason for which a run of a virtual radio, or an advance of its clock, was given up.
public enum VirtualRunError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The body waits, and nothing is left that could happen: no timer is set, no job came from elsewhere.
    case stalled(at: Duration)
    /// The body waits still, and the run's limit of simulated time has passed.
    case limitReached(Duration)
    /// The radio is not on a manual clock, or another run or advance of it is under way.
    case notPossible(String)
    /// The task that advanced the clock was cancelled.
    case cancelled

    /// A sentence with the reason and advice.
    public var description: String {
        switch self {
        case .stalled(let time):
            "the radio stalled at \(time): the run's body, or the condition of advance(until:), waits for something that "
                + "nothing is going to cause (no timer is set, and no other thread gave the radio's executor anything to "
                + "do). Give each wait a timeout, and each loop over notifications a valueTimeout"
        case .limitReached(let limit):
            "the run did not end within its limit of \(limit) of simulated time: its body waits for something that does "
                + "not happen. Give what it waits for a timeout, or the run a greater limit"
        case .notPossible(let reason): reason
        case .cancelled: "the task was cancelled"
        }
    }
}
