import BlueCapCore

/// Moves a manual clock to its next timer whenever the radio's executor has nothing to do.
final class RunDriver: Sendable {
    /// What the driver is to do when it cannot go on.
    typealias Failure = @Sendable (VirtualRunError) -> Void

    private struct State {
        var isFinished = false
        var failure: VirtualRunError?
        /// The number of jobs that had been taken when there was nothing left to do.
        var suspected: UInt64?
    }

    private let clock: ManualClock
    private let limit: Duration
    private let patience: Duration
    private let onFailure: Failure
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: The time of the clock at which to give up.
    ///   - patience: How much real time to wait for jobs from other threads when nothing is left to do.
    init(clock: ManualClock, limit: Duration, patience: Duration, onFailure: @escaping Failure) {
        self.clock = clock
        self.limit = limit
        self.patience = patience
        self.onFailure = onFailure
    }

    var failure: VirtualRunError? { state.withLock { $0.failure } }

    func finish() { state.withLock { $0.isFinished = true } }

    /// Asked by the executor when nothing is queued.
    func idle(_ taken: UInt64) -> VirtualExecutor.IdleOutcome {
        if state.withLock({ $0.isFinished }) { return .sleep }
        guard let next = clock.nextDeadline else { return nothingLeft(taken) }
        guard next <= limit else { return fail(.limitReached(limit)) }
        clock.advanceToNext()
        return .again
    }

    private func nothingLeft(_ taken: UInt64) -> VirtualExecutor.IdleOutcome {
        let isRepeated = state.withLock { state in
            defer { state.suspected = taken }
            return state.suspected == taken
        }
        return isRepeated ? fail(.stalled(at: clock.now.elapsed)) : .sleepAtMost(patience)
    }

    /// Gives up: the body is cancelled, which ends most waits. A body that waits on after that can only be shot.
    private func fail(_ failure: VirtualRunError) -> VirtualExecutor.IdleOutcome {
        let isFirst = state.withLock { state in
            defer { state.failure = state.failure ?? failure }
            state.suspected = nil
            return state.failure == nil
        }
        guard isFirst else { preconditionFailure("\(failure). Its cancellation did not end it either") }
        onFailure(failure)
        return .again
    }
}
