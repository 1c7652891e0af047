// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// For tests that hold the clock in their own hand, outside of ``VirtualRadio/run(limit:patience:_:)``.
extension VirtualRadio {
    /// Moves the manual clock by `duration`, doing everything that falls due on the way, each at its own time and
    /// before the next, and returns when nothing is left to do.
    ///
    /// It moves the clock for operations that have begun by now. A call in a task of its own (`async let`, `Task { …
    /// }`) may begin later and finds the clock at its end: wait for its beginning or its end with
    /// ``advance(until:limit:patience:)``. Inside of a run, sleep on the clock instead. On a clock that is not manual
    /// it just sleeps.
    ///
    /// - Throws: ``VirtualRunError/notPossible(_:)`` while a run or another advance is under way.
    @concurrent
    public func advance(by duration: Duration) async throws(VirtualRunError) {
        guard let manualClock else {
            do { try await clock.sleep(for: duration) } catch {}
            return
        }
        try beginDriving()
        let executor = executor
        let target = manualClock.now.elapsed + duration
        await withCheckedContinuation { continuation in
            executor.setIdle { _ in
                if let next = manualClock.nextDeadline, next <= target {
                    manualClock.advanceToNext()
                    return .again
                }
                if manualClock.now.elapsed < target { manualClock.advance(to: target) }
                executor.setIdle(nil)
                continuation.resume()
                return .sleep
            }
        }
        endDriving()
    }

    /// Moves the manual clock, doing everything that falls due on the way, until `isMet` holds; not at all when it
    /// does.
    ///
    /// ```swift
    /// async let connecting: Void = peripheral.connect(timeout: .seconds(5))
    /// try await radio.advance(until: { peripheral.state == .connecting })
    /// try await radio.advance(by: .seconds(5))
    /// ```
    ///
    /// It does not matter when the awaited operation begins. Where nothing is left to happen, or `limit` has passed,
    /// the clock stands and other threads have `patience` of real time to give the radio something to do, after which
    /// it moves on for another `limit`. The condition is asked whenever the radio has nothing to do, before the clock
    /// moves, and again and again while it stands. On a clock that is not manual it is asked every 10 ms for as long as
    /// `limit`.
    ///
    /// - Parameters:
    ///   - isMet: The condition to wait for. Called on the radio's executor; it must not block.
    ///   - limit: How much simulated time may pass after the last thing that another thread did to the radio.
    ///   - patience: How much real time to wait for other threads when nothing is left to happen.
    /// - Throws: ``VirtualRunError/stalled(at:)`` or ``VirtualRunError/limitReached(_:)`` when the condition does not
    ///   come to hold, `.cancelled` for a cancelled task, `.notPossible` while a run or another advance is under way.
    @concurrent
    public func advance(
        until isMet: @escaping @Sendable () -> Bool, limit: Duration = .seconds(3600), patience: Duration = .seconds(30)
    ) async throws(VirtualRunError) {
        guard let manualClock else { return try await poll(until: isMet, limit: limit) }
        try beginDriving()
        let advance = ConditionalAdvance(
            clock: manualClock, executor: executor, isMet: isMet, limit: limit, patience: patience)
        let failure = await advance.run()
        endDriving()
        if let failure { throw failure }
    }

    /// Waits until the radio has done everything that is due now. The clock does not move.
    ///
    /// - Throws: ``VirtualRunError/notPossible(_:)`` while a run or another advance is under way.
    public func settle() async throws(VirtualRunError) { try await advance(by: .zero) }

    private func poll(until isMet: () -> Bool, limit: Duration) async throws(VirtualRunError) {
        let end = clock.elapsed + limit
        while !isMet() {
            if clock.elapsed >= end { throw .limitReached(limit) }
            do { try await clock.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
        }
    }
}

/// One ``VirtualRadio/advance(until:limit:patience:)`` on a manual clock.
private final class ConditionalAdvance: Sendable {
    /// How often the condition is asked in real time while the clock stands.
    private static var pollInterval: Duration { .milliseconds(5) }

    private struct State {
        /// The number of jobs that had come from other threads when the clock last had a new limit.
        var foreign: UInt64 = 0
        var end: Duration
        /// How long the clock has stood, in real time.
        var standing = Duration.zero
        var isCancelled = false
        var continuation: CheckedContinuation<VirtualRunError?, Never>?
    }

    private let clock: ManualClock
    private let executor: VirtualExecutor
    private let isMet: @Sendable () -> Bool
    private let limit: Duration
    private let patience: Duration
    private let state: Locked<State>

    init(
        clock: ManualClock, executor: VirtualExecutor, isMet: @escaping @Sendable () -> Bool, limit: Duration,
        patience: Duration
    ) {
        self.clock = clock
        self.executor = executor
        self.isMet = isMet
        self.limit = limit
        self.patience = patience
        state = Locked(State(end: clock.now.elapsed + limit))
    }

    func run() async -> VirtualRunError? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.continuation = continuation }
                executor.setIdle { _ in self.idle() }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
        }
    }

    /// Asked by the executor when nothing is queued.
    private func idle() -> VirtualExecutor.IdleOutcome {
        if isMet() { return end(nil) }
        if state.withLock({ $0.isCancelled }) { return end(.cancelled) }
        let foreign = executor.foreignCount
        let next = clock.nextDeadline
        let (canMove, isImpatient) = state.withLock { state in
            if state.foreign != foreign {
                state.foreign = foreign
                state.end = clock.now.elapsed + limit
                state.standing = .zero
            }
            let canMove = next.map { $0 <= state.end } ?? false
            if !canMove { state.standing += Self.pollInterval }
            return (canMove, state.standing > patience)
        }
        if canMove {
            clock.advanceToNext()
            return .again
        }
        guard isImpatient else { return .sleepAtMost(Self.pollInterval) }
        return end(next == nil ? .stalled(at: clock.now.elapsed) : .limitReached(limit))
    }

    private func end(_ failure: VirtualRunError?) -> VirtualExecutor.IdleOutcome {
        executor.setIdle(nil)
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: failure)
        return .sleep
    }
}
