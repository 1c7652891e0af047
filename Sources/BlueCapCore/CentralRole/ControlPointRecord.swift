// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A request to a control point, without its type.
struct ControlPointCall: Sendable {
    /// A message, and the test that recognizes its response.
    struct Message: Sendable {
        let value: Bytes
        private let opCode: any Hashable & Sendable
        let isResponse: @Sendable (Bytes) -> Bool
        /// Whether a response has another result than success.
        let isRefusal: @Sendable (Bytes) -> Bool

        init<Typed: ControlPointMessage>(_ message: Typed) {
            value = SerDe.serialize(message)
            let opCode = message.opCode
            self.opCode = opCode
            isResponse = { bytes in
                guard let response = try? SerDe.deserialize(bytes, as: Typed.self) else { return false }
                return response.outcome?.request == opCode
            }
            isRefusal = { bytes in
                guard let outcome = try? SerDe.deserialize(bytes, as: Typed.self).outcome else { return false }
                return outcome.result != Typed.succeeded
            }
        }

        /// Returns a Boolean value that is true if a response to another message would be taken for the response to
        /// this one.
        func isLike(_ other: Message) -> Bool { AnyHashable(opCode) == AnyHashable(other.opCode) }
    }

    let request: Message
    /// The message that ends the procedure; nil if there is none.
    let abort: Message?
    /// The number of values that the procedure has reported so far; its time limit begins again while values arrive.
    let reportCount: @Sendable () -> Int

    init<Typed: ControlPointMessage>(_ message: Typed, reportCount: @escaping @Sendable () -> Int = { 0 }) {
        request = Message(message)
        abort = Typed.abort == message ? nil : Typed.abort.map { Message($0) }
        self.reportCount = reportCount
    }
}

/// A manager's record of the requests to one control point; used on the manager only.
final class ControlPointRecord {
    typealias Answer = @Sendable (Result<Bytes, CharacteristicError>) -> Void

    struct Call {
        let call: ControlPointCall
        let onDisconnect: DisconnectPolicy
        var deadline: CentralManager.Deadlines.Token?
        /// Nil once the caller is answered.
        var answer: Answer?
    }

    let peripheral: PeerIdentifier
    let attribute: AttributeID
    var machine = ControlPointMachine()
    /// The waiting requests and the current request.
    var calls: OrderedTable<UInt64, Call> = [:]
    /// A Boolean value that is true if indications stay on between two requests: from the first request to the end of
    /// the link.
    var isKept = false
    /// The deadline of the running procedure.
    var limit: CentralManager.Deadlines.Token?
    /// The messages that nobody waits for any more and whose responses may still come over this link, one for each op
    /// code.
    var late: [ControlPointCall.Message] = []

    init(_ peripheral: PeerIdentifier, _ attribute: AttributeID) {
        (self.peripheral, self.attribute) = (peripheral, attribute)
    }

    /// The manager was released, so the waiting callers end.
    deinit { for call in calls.values { call.answer?(.failure(.invalidated)) } }

    /// A Boolean value that is true if indications are wanted on.
    var isWanted: Bool { isKept || !calls.isEmpty }

    /// Returns a Boolean value that is true if a value is the expected response.
    func isResponse(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.stage != .held, let call = calls[current.number]?.call
        else { return false }
        return (current.isAborting ? call.abort : call.request)?.isResponse(value) ?? false
    }

    /// Returns a Boolean value that is true if a response says that the procedure of the current request goes on.
    func isRefusalOfAbort(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.isAborting else { return false }
        return calls[current.number]?.call.abort?.isRefusal(value) ?? false
    }

    /// Returns a Boolean value that is true if a value is the response to the request that is being aborted.
    func isResponseWhileAborting(_ value: Bytes) -> Bool {
        guard let current = machine.current, current.isAborting else { return false }
        return calls[current.number]?.call.request.isResponse(value) ?? false
    }

    /// Returns a Boolean value that is true if a late response would be taken for the response to a message.
    func isHeld(_ message: ControlPointCall.Message) -> Bool { late.contains { $0.isLike(message) } }

    /// Returns a Boolean value that is true if the procedure of a request can be ended by another request.
    func canAbort(_ number: UInt64) -> Bool { calls[number]?.call.abort.map { !isHeld($0) } ?? false }
}
