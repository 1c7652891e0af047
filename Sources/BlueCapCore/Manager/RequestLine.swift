// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The requests of an actor that are not over, and what is sent, answered and timed out of them.
///
/// Touched on the actor only.
final class RequestLine<Owner: RequestOwner> {
    typealias Table = PendingTable<Owner.Operation, Owner.Completion>
    typealias Lane = Table.Lane

    private var pending = Table()
    private var lastNumber: UInt64 = 0
    /// The deadlines of the actor, of its requests and of all else.
    let deadlines = DeadlineTimer<Owner>()
    /// The channels over the actor's links, with requests of their own.
    let channels = ChannelDesk()

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
        owner.countUnclaimed(pending.lateReplyCount - unclaimed)
        // The next goes out before the last one's caller runs: the radio is the slow part.
        if let outgoing = step.send { owner.send(outgoing.id, outgoing.operation) }
        switch result {
        case .success(let reply): step.completion?(owner, .reply(reply))
        case .failure(let failure): step.completion?(owner, .failed(failure))
        }
    }

    /// The caller of a request gave up.
    func abandon(_ id: RequestID, _ outcome: Outcome, _ owner: isolated Owner) {
        pending.abandon(id)?(owner, outcome)
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

/// An actor that has requests answered by a backend, each by one way: queued in its lane, sent, answered, timed out or
/// cancelled.
protocol RequestOwner: DeadlineOwner {
    /// The operation that a request asks the backend for.
    associatedtype Operation: MeteredOperation, Sendable

    /// Called on the actor with the outcome of a request.
    typealias Completion = @Sendable (isolated Self, Outcome) -> Void

    var requests: RequestLine<Self> { get }
    nonisolated var meter: RadioMeter { get }
    /// The number of replies and values without a taker.
    nonisolated var unclaimed: Locked<Int> { get }

    /// Hands a request to the backend.
    func send(_ id: RequestID, _ operation: Operation)

    /// The lane in which an operation waits for the requests before it.
    func lane(
        of operation: Operation, id: RequestID, kind: PendingTable<Operation, Completion>.Lane.Kind?
    ) -> PendingTable<Operation, Completion>.Lane

    /// Why an operation cannot be begun now.
    func refusal(of operation: Operation) -> Outcome?

    /// Whether the connection that an operation needs ends by the wish of the app or of the peer.
    func endsInOrder(_ operation: Operation) -> Bool
}

extension RequestOwner {
    func endsInOrder(_ operation: Operation) -> Bool { false }

    /// Counts replies or values without a taker.
    func countUnclaimed(_ count: Int) {
        if count == 0 { return }
        unclaimed.withLock { $0 += count }
        meter.unclaimed(count)
    }

    /// A number that was never given out before.
    func makeNumber() -> UInt64 { requests.makeNumber() }

    /// Sends an operation behind those of its lane and waits for its outcome.
    ///
    /// The timeout runs from now, the time in the queue included. Timeout and cancellation are one path: the caller is
    /// freed at once, a request that was sent keeps its slot until the backend answers.
    func perform(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil, timeout: Duration?
    ) async -> Outcome {
        let id = requests.makeID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                requests.begin(id, operation, in: kind, timeout: timeout, self) { _, outcome in
                    continuation.resume(returning: outcome)
                }
            }
        } onCancel: {
            later { $0.requests.abandon(id, .cancelled, $0) }
        }
    }

    /// The same with its effect on the actor: `apply` runs on it together with the answer, before any later event.
    func perform<Value: Sendable, Failure: Error>(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil, timeout: Duration?,
        _ apply: @escaping @Sendable (isolated Self, Outcome) -> Result<Value, Failure>
    ) async throws(Failure) -> Value {
        let id = requests.makeID()
        let result: Result<Value, Failure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: apply(self, .cancelled)) }
                requests.begin(id, operation, in: kind, timeout: timeout, self) { owner, outcome in
                    continuation.resume(returning: apply(owner, outcome))
                }
            }
        } onCancel: {
            later { $0.requests.abandon(id, .cancelled, $0) }
        }
        return try result.get()
    }

    /// The same without waiting: `completion` is called once, on the actor.
    func begin(
        _ operation: Operation, in kind: PendingTable<Operation, Completion>.Lane.Kind? = nil,
        completion: @escaping Completion
    ) {
        requests.begin(requests.makeID(), operation, in: kind, timeout: nil, self, completion: completion)
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
