// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// An actor that has requests answered by a backend, each by one way: queued in its lane, sent, answered, timed out or
/// cancelled.
protocol RequestOwner: DeadlineOwner {
    /// The operation that a request asks the backend for.
    associatedtype Operation: MeteredOperation, Sendable

    /// Called on the actor with the outcome of a request.
    typealias Completion = @Sendable (isolated Self, Outcome) -> Void

    var requests: RequestLine<Self> { get }
    nonisolated var meter: RadioMeter { get }

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
