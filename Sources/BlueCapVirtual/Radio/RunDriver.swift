// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// Moves a manual clock to its next timer whenever the radio's executor has nothing to do.
final class RunDriver: Sendable {
    private struct State {
        var isFinished = false
        var failure: VirtualRunError?
        /// The number of jobs that had been taken when there was nothing left to do.
        var suspected: UInt64?
        var outside = OutsideTurns()
    }

    private let clock: ManualClock
    private let limit: Duration
    /// How much more time a body has to end after it was cancelled.
    private let grace: Duration
    private let patience: Duration
    private let onFailure: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: The time of the clock at which to give up.
    ///   - patience: How much real time to wait for jobs from other threads when nothing is left to do.
    init(clock: ManualClock, limit: Duration, patience: Duration, onFailure: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.limit = limit
        grace = max(limit - clock.now.elapsed, .zero)
        self.patience = patience
        self.onFailure = onFailure
    }

    var failure: VirtualRunError? { state.withLock { $0.failure } }

    /// The turns of tasks outside of the executor so far.
    var outside: OutsideTurns { state.withLock { $0.outside } }

    func finish(_ counts: VirtualExecutor.Counts) {
        let now = clock.now.elapsed
        state.withLock { state in
            state.outside.look(at: counts, now)
            state.isFinished = true
        }
    }

    /// Asked by the executor when nothing is queued.
    func idle(_ counts: VirtualExecutor.Counts) -> VirtualExecutor.IdleOutcome {
        let now = clock.now.elapsed
        let taken = counts.taken
        let (isFinished, failure) = state.withLock { state in
            state.outside.look(at: counts, now)
            return (state.isFinished, state.failure)
        }
        if isFinished { return .sleep }
        let end = failure == nil ? limit : limit + grace
        if clock.advanceToNext(upTo: end) { return .again }
        guard let next = clock.nextDeadline else {
            return waitForOthers(taken) { fail(failure ?? .stalled(at: clock.now.elapsed), after: failure) }
        }
        // Another thread has set it meanwhile.
        if next <= end { return .again }
        if failure == nil { return fail(.limitReached(limit), after: nil) }
        return waitForOthers(taken) { fail(.limitReached(limit), after: failure) }
    }

    /// Waits for jobs from other threads; does `last` when none came for as long as patience lasts.
    private func waitForOthers(
        _ taken: UInt64, _ last: () -> VirtualExecutor.IdleOutcome
    ) -> VirtualExecutor.IdleOutcome {
        let isRepeated = state.withLock { state in
            defer { state.suspected = taken }
            return state.suspected == taken
        }
        return isRepeated ? last() : .sleepAtMost(patience)
    }

    /// Gives up: cancels the body, which ends most waits. If the body still waits after that, the process traps.
    private func fail(_ failure: VirtualRunError, after previous: VirtualRunError?) -> VirtualExecutor.IdleOutcome {
        if let previous { preconditionFailure("\(previous). Its cancellation did not end it either") }
        state.withLock { state in
            state.failure = failure
            state.suspected = nil
        }
        onFailure()
        return .again
    }
}
