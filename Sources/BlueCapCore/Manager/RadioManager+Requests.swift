// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The one way of every request: queued in its lane, sent, answered, timed out or cancelled.
extension RadioManager {
    /// Sends an operation behind those of its lane and waits for what becomes of it.
    ///
    /// The timeout runs from now, the time in the queue included. Timeout and cancellation are one path: the caller is
    /// freed at once, a request that was sent keeps its slot until the backend answers.
    func perform(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil, timeout: Duration?
    ) async -> Outcome {
        let id = pending.makeID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                begin(id, operation, in: kind, timeout: timeout) { _, outcome in continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            later { $0.abandon(id, .cancelled) }
        }
    }

    /// The same with what it does to the manager: `apply` runs on it together with the answer, before any later event.
    func perform<Value: Sendable, Failure: Error>(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil, timeout: Duration?,
        _ apply: @escaping @Sendable (isolated Self, Outcome) -> Result<Value, Failure>
    ) async throws(Failure) -> Value {
        let id = pending.makeID()
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: apply(self, .cancelled)) }
                begin(id, operation, in: kind, timeout: timeout) { manager, outcome in
                    continuation.resume(returning: apply(manager, outcome))
                }
            }
        } onCancel: {
            later { $0.abandon(id, .cancelled) }
        }
        return try result.get()
    }

    /// The same without waiting: `completion` is called once, on the manager.
    func begin(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil,
        completion: @escaping Completion
    ) {
        begin(pending.makeID(), operation, in: kind, timeout: nil, completion: completion)
    }

    private func begin(
        _ id: RequestID, _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind?,
        timeout: Duration?, completion: @escaping Completion
    ) {
        var completion = metered(operation, completion)
        if let refusal = refusal(of: operation) { return completion(self, refusal) }
        let lane = lane(of: operation, id: id, kind: kind)
        if let timeout {
            let token = after(timeout) { $0.abandon(id, .timedOut) }
            completion = { [completion] manager, outcome in
                manager.cancelDeadline(token)
                completion(manager, outcome)
            }
        }
        if let outgoing = pending.add(id, operation, lane: lane, completion: completion) {
            send(outgoing.id, outgoing.operation)
        }
    }

    /// The backend answered a request.
    func finish(_ id: RequestID, _ result: Result<CentralReply, OperationFailure>) {
        let unclaimed = pending.lateReplyCount
        let step = pending.reply(id)
        meter.unclaimed(pending.lateReplyCount - unclaimed)
        // The next goes out before the last one's caller runs: the radio is the slow part.
        if let outgoing = step.send { send(outgoing.id, outgoing.operation) }
        switch result {
        case .success(let reply): step.completion?(self, .reply(reply))
        case .failure(let failure): step.completion?(self, .failed(failure))
        }
    }

    /// The caller of a request gave up.
    func abandon(_ id: RequestID, _ outcome: Outcome) {
        let completion = pending.abandon(id)
        if suspendedRules.contains(.orphanSlots), let next = pending.reply(id).send { send(next.id, next.operation) }
        completion?(self, outcome)
    }

    /// Ends the requests of a lane that have an outcome, though the backend has not answered them.
    func drain(_ lane: PendingTable<Operation, Completion>.Lane, _ outcome: (Operation) -> Outcome?) {
        let (ended, outgoing) = pending.drain(lane) { outcome($0) != nil }
        if let outgoing { send(outgoing.id, outgoing.operation) }
        for (operation, completion) in ended {
            if let outcome = outcome(operation) { completion(self, outcome) }
        }
    }

    /// Ends every request of a peripheral, or every request there is.
    func drain(_ peripheral: PeerIdentifier?, _ outcome: Outcome) {
        for completion in pending.drain(peripheral) { completion(self, outcome) }
    }
}

/// One timer of the clock for all deadlines.
extension RadioManager {
    /// Calls `action` on the manager when `delay` has passed.
    @discardableResult
    func after(_ delay: Duration, _ action: @escaping Action) -> DeadlineQueue<Action>.Token {
        let token = deadlines.add(at: clock.elapsed + max(delay, .zero), action)
        arm()
        return token
    }

    /// Takes an action back; does nothing if it ran.
    func cancelDeadline(_ token: DeadlineQueue<Action>.Token) {
        deadlines.remove(token)
        if deadlines.next == nil {
            armedTimer?.timer.cancel()
            armedTimer = nil
        }
    }

    /// Has one timer of the clock stand for the earliest deadline.
    private func arm() {
        guard let deadline = deadlines.next else { return }
        if let armedTimer, armedTimer.deadline <= deadline { return }
        armedTimer?.timer.cancel()
        let timer = clock.schedule(after: deadline - clock.elapsed) { [weak self] in
            self?.later { $0.fire(deadline) }
        }
        armedTimer = ArmedTimer(deadline: deadline, timer: timer)
    }

    private func fire(_ deadline: Duration) {
        if armedTimer?.deadline == deadline { armedTimer = nil }
        while let action = deadlines.popDue(at: clock.elapsed) { action(self) }
        arm()
    }
}
