// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// The values that a peripheral reports in a procedure of a control point, such as stored records, in the order of the
/// radio.
///
/// The sequence is for one consumer. It ends when the response has arrived, after all values that arrived before it,
/// and throws if the response is not success or does not arrive. For a cancelled task it ends without an error. Leaving
/// the loop, or releasing the sequence, gives the procedure up.
public struct ControlPointProcedure<Message: ControlPointMessage, Value: ByteCodable>: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Value
    /// The error that ends the sequence.
    public typealias Failure = ControlPointError<Message.Result>

    let run: ProcedureRun
    let controlPoint: BluetoothUUID
    let values: BluetoothUUID

    /// The number of values that this sequence dropped: values for which there was no room, and values still buffered
    /// when its loop was left.
    public var droppedCount: Int { run.subscription.box.droppedCount }

    /// Returns an iterator; its release gives the procedure up.
    public func makeAsyncIterator() -> Iterator { Iterator(procedure: self, lifetime: Lifetime(run)) }

    /// The iterator of the values.
    public struct Iterator: AsyncIteratorProtocol {
        let procedure: ControlPointProcedure
        let lifetime: Lifetime

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next() async throws(Failure) -> Value? { try await procedure.next() }

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
            try await procedure.next()
        }
    }

    /// Ends a procedure with the loop over it, even if the sequence itself is still retained.
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
        /// The result of the procedure, which the sequence takes once.
        var end: Result<Bytes, CharacteristicError>?
        var takenCount = 0
        var leave: (@Sendable () -> Void)?
    }

    let subscription: Subscription
    private let state = Locked(State())

    init(_ subscription: Subscription) { self.subscription = subscription }

    deinit { end() }

    /// The number of values that have arrived.
    var reportCount: Int { subscription.box.droppedCount + subscription.box.count + state.withLock { $0.takenCount } }

    nonisolated(nonsending) func next() async throws(CharacteristicError) -> Bytes? {
        let bytes = try await subscription.next()
        if bytes != nil { state.withLock { $0.takenCount += 1 } }
        return bytes
    }

    /// Returns the response once; nil afterwards.
    func takeResponse() throws(CharacteristicError) -> Bytes? { try state.withLock { $0.end.take() }?.get() }

    /// Sets the closure that withdraws the request when the sequence is released.
    func onEnd(_ leave: @escaping @Sendable () -> Void) { state.withLock { $0.leave = leave } }

    /// The response has arrived, or will not arrive.
    func finish(_ end: Result<Bytes, CharacteristicError>) {
        state.withLock { state in
            state.end = end
            state.leave = nil
        }
        subscription.box.finish()
    }

    /// The sequence is released.
    func end() {
        let leave = state.withLock { state in
            defer { state.leave = nil }
            return state.leave
        }
        leave?()
        subscription.end()
    }
}
