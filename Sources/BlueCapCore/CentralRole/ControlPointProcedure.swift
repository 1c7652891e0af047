// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// The values that a peripheral reports in a procedure of a control point, in the order of the radio: stored records,
/// for example.
///
/// For one consumer. It ends when the response has come, after all values that came before it, and throws where that is
/// no success or does not come. For a task that is cancelled it ends quietly. Leaving the loop, or releasing the
/// sequence, gives the procedure up.
public struct ControlPointProcedure<Message: ControlPointMessage, Value: ByteCodable>: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Value
    /// The error that ends the sequence.
    public typealias Failure = ControlPointError<Message.Result>

    let run: ProcedureRun
    let controlPoint: BluetoothUUID
    let values: BluetoothUUID

    /// How many values this sequence dropped: because there was no room, and those still buffered when its loop was
    /// left.
    public var droppedCount: Int { run.subscription.box.droppedCount }

    /// An iterator; its release gives the procedure up.
    public func makeAsyncIterator() -> Iterator { Iterator(procedure: self, lifetime: Lifetime(run)) }

    /// Takes the values.
    public struct Iterator: AsyncIteratorProtocol {
        let procedure: ControlPointProcedure
        let lifetime: Lifetime

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next() async throws(Failure) -> Value? { try await procedure.next() }

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            try await procedure.next()
        }
    }

    /// Ends a procedure with the loop over it, even where the sequence itself is still held.
    final class Lifetime: Sendable {
        private let run: ProcedureRun

        init(_ run: ProcedureRun) { self.run = run }

        deinit { run.end() }
    }

    private nonisolated(nonsending) func next() async throws(Failure) -> Value? {
        let response: Bytes?
        do throws(CharacteristicError) {
            if let bytes = try await run.next() { return try decode(bytes) }
            response = try run.takeResponse()
        } catch {
            throw Failure(error)
        }
        if let response { _ = try TypedControlPoint<Message>.accepted(response, from: controlPoint) }
        return nil
    }

    private func decode(_ bytes: Bytes) throws(CharacteristicError) -> Value {
        do { return try SerDe.deserialize(bytes) } catch {
            run.end()
            throw .undecodable(error, bytes, from: values)
        }
    }
}

@available(*, unavailable)
extension ControlPointProcedure.Iterator: Sendable {}

/// A procedure that reports values: the subscription to them, and its end.
final class ProcedureRun: Sendable {
    private struct State {
        /// Taken by the sequence once.
        var end: Result<Bytes, CharacteristicError>?
        var takenCount = 0
        var leave: (@Sendable () -> Void)?
    }

    let subscription: Subscription
    private let state = Locked(State())

    init(_ subscription: Subscription) { self.subscription = subscription }

    deinit { end() }

    /// How many values have come.
    var reportCount: Int {
        subscription.box.droppedCount + subscription.box.count + state.withLock { $0.takenCount }
    }

    nonisolated(nonsending) func next() async throws(CharacteristicError) -> Bytes? {
        let bytes = try await subscription.next()
        if bytes != nil { state.withLock { $0.takenCount += 1 } }
        return bytes
    }

    /// The response, once.
    func takeResponse() throws(CharacteristicError) -> Bytes? {
        try state.withLock { $0.end.take() }?.get()
    }

    /// What takes the request back when the sequence is let go.
    func onEnd(_ leave: @escaping @Sendable () -> Void) { state.withLock { $0.leave = leave } }

    /// The response has come, or does not come.
    func finish(_ end: Result<Bytes, CharacteristicError>) {
        state.withLock { state in
            state.end = end
            state.leave = nil
        }
        subscription.box.finish()
    }

    /// The sequence is let go.
    func end() {
        let leave = state.withLock { $0.leave.take() }
        leave?()
        subscription.end()
    }
}
