// SPDX-License-Identifier: MIT

/// The rooms that both managers have: one way for every request, one timer for all deadlines, one wait for the radio.
///
/// A manager is an actor on its backend's executor; everything here runs on it.
protocol RadioManager: RequestOwner, StateOwner, PairingOwner, JournalOwner {}

extension RadioManager {
    /// Why no operation at all can be begun now.
    var refusalByRadio: Outcome? {
        if isInvalidated { return .invalidated }
        return radio.current == .poweredOn ? nil : .failed(radio.reason)
    }

    /// How many requests, deadlines and waits for the radio there are, those of which there is none left out.
    var commonRemains: [String: Int] {
        [
            "requests": requests.count, "deadlines": deadlines.count, "waits for the radio": radio.waiterCount,
            "channels": requests.channels.count,
        ].filter { $0.value > 0 }
    }
}

/// Work of the app on the thread of control that the manager has.
extension RadioManager {
    /// Runs a body, and the child tasks that it starts, on the manager's executor.
    ///
    /// A closure that is written on an actor may belong to that actor and then runs there: the log warns of it, as the
    /// app has not got what it asked for.
    @concurrent
    nonisolated func runOnExecutor<Value, Failure: Error>(
        _ body: @isolated(any) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if body.isolation != nil {
            logger.warning("the body of run belongs to an actor and runs there: begin it with '@concurrent in'")
        }
        return try await withTaskExecutorPreference(executor) { @concurrent () async throws(Failure) in
            await arrive()
            return try await pass(body)
        }
    }

    @concurrent
    private nonisolated func pass<Value, Failure: Error>(
        _ body: @concurrent () async throws(Failure) -> Value
    ) async throws(Failure) -> Value { try await body() }

    /// Brings its caller to the executor: up to its first wait, a body that hands on to a function of the caller's
    /// isolation would otherwise stay on the caller's thread. Not inlined, as nothing would be left of it.
    @inline(never)
    private func arrive() {}
}
