// SPDX-License-Identifier: MIT

/// The requests of an actor that are not over, and what is sent, answered and timed out of them.
///
/// Touched on the actor only.
final class RequestLine<Owner: RequestOwner> {
    typealias Table = PendingTable<Owner.Operation, Owner.Completion>
    typealias Lane = Table.Lane

    private var pending = Table()
    private var lastNumber: UInt64 = 0
    private let suspendedRules = SuspendedRules.current

    /// How many requests there are, those included that their callers gave up and the backend has not answered.
    var count: Int { pending.count }

    /// How many replies found no waiting caller.
    var lateReplyCount: Int { pending.lateReplyCount }

    /// The lane of a request that is not over.
    func lane(of id: RequestID) -> Lane? { pending.lane(of: id) }

    /// How many places of a lane are taken, those of requests that were given up while queued included.
    func queuedCount(in lane: Lane) -> Int { pending.queuedCount(in: lane) }

    /// How many requests with a caller are sent or queued in a lane and pass a test.
    func count(in lane: Lane, where isCounted: (Owner.Operation) -> Bool) -> Int {
        pending.count(in: lane, where: isCounted)
    }

    /// A fresh identifier for a request.
    func makeID() -> RequestID { pending.makeID() }

    /// A number that was never given out before, for a caller that waits for something else than a request.
    func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Sends an operation behind those of its lane; `completion` is called once, on the owner.
    func begin(
        _ id: RequestID, _ operation: Owner.Operation, in kind: Lane.Kind?, timeout: Duration?,
        _ owner: isolated Owner, completion: @escaping Owner.Completion
    ) {
        var completion = metered(operation, owner, completion)
        if let refusal = owner.refusal(of: operation) { return completion(owner, refusal) }
        let lane = owner.lane(of: operation, id: id, kind: kind)
        if let timeout {
            let token = owner.after(timeout) { $0.requests.abandon(id, .timedOut, $0) }
            completion = { [completion] owner, outcome in
                owner.cancelDeadline(token)
                completion(owner, outcome)
            }
        }
        if let outgoing = pending.add(id, operation, lane: lane, completion: completion) {
            owner.send(outgoing.id, outgoing.operation)
        }
    }

    /// The backend answered a request.
    func finish(_ id: RequestID, _ result: Result<CentralReply, OperationFailure>, _ owner: isolated Owner) {
        let unclaimed = pending.lateReplyCount
        let step = pending.reply(id)
        owner.meter.unclaimed(pending.lateReplyCount - unclaimed)
        // The next goes out before the last one's caller runs: the radio is the slow part.
        if let outgoing = step.send { owner.send(outgoing.id, outgoing.operation) }
        switch result {
        case .success(let reply): step.completion?(owner, .reply(reply))
        case .failure(let failure): step.completion?(owner, .failed(failure))
        }
    }

    /// The caller of a request gave up.
    func abandon(_ id: RequestID, _ outcome: Outcome, _ owner: isolated Owner) {
        let completion = pending.abandon(id)
        if suspendedRules.contains(.orphanSlots), let next = pending.reply(id).send {
            owner.send(next.id, next.operation)
        }
        completion?(owner, outcome)
    }

    /// Ends the requests of a lane that have an outcome, though the backend has not answered them.
    func drain(_ lane: Lane, _ owner: isolated Owner, _ outcome: (Owner.Operation) -> Outcome?) {
        let (ended, outgoing) = pending.drain(lane) { outcome($0) != nil }
        if let outgoing { owner.send(outgoing.id, outgoing.operation) }
        for (operation, completion) in ended {
            if let outcome = outcome(operation) { completion(owner, outcome) }
        }
    }

    /// Ends every request of a peripheral, or every request there is.
    func drain(_ peripheral: PeerIdentifier?, _ outcome: Outcome, _ owner: isolated Owner) {
        for completion in pending.drain(peripheral) { completion(owner, outcome) }
    }

    /// A completion that has the operation's time measured before it runs.
    @inline(__always)
    private func metered(
        _ operation: Owner.Operation, _ owner: isolated Owner, _ completion: @escaping Owner.Completion
    ) -> Owner.Completion {
        #if Metrics
        let start = owner.meter.begin(owner.clock)
        let label = operation.meterLabel
        return { owner, outcome in
            let end = MeteredOutcome(outcome, endsInOrder: owner.endsInOrder(operation))
            owner.meter.end(label, end, since: start, owner.clock)
            completion(owner, outcome)
        }
        #else
        return completion
        #endif
    }
}

extension MeteredOutcome {
    /// The outcome of a request.
    ///
    /// - Parameters:
    ///   - outcome: The outcome that its caller is given.
    ///   - endsInOrder: Whether its connection ends by the wish of the app or of the peer.
    fileprivate init(_ outcome: Outcome, endsInOrder: Bool) {
        switch outcome {
        case .reply: self = .success
        case .failed(.disconnected) where endsInOrder: self = .ended
        default: self = .failed(PeripheralError(outcome, timeout: .connectionTimeout).reason)
        }
    }
}
