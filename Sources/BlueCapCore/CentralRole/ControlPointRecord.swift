// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A request to a control point, without its type.
struct ControlPointCall: Sendable {
    /// A message, and how its response is known.
    struct Message: Sendable {
        let value: Bytes
        let isResponse: @Sendable (Bytes) -> Bool

        init<Typed: ControlPointMessage>(_ message: Typed) {
            value = SerDe.serialize(message)
            let opCode = message.opCode
            isResponse = { bytes in
                guard let response = try? SerDe.deserialize(bytes, as: Typed.self) else { return false }
                return response.outcome?.request == opCode
            }
        }
    }

    let request: Message
    /// What ends the procedure; nil where nothing does.
    let abort: Message?
    /// How many values the procedure has reported by now: while they come, its time begins again.
    let reportCount: @Sendable () -> Int

    init<Typed: ControlPointMessage>(_ message: Typed, reportCount: @escaping @Sendable () -> Int = { 0 }) {
        request = Message(message)
        abort = Typed.abort == message ? nil : Typed.abort.map { Message($0) }
        self.reportCount = reportCount
    }
}

/// What a manager keeps of the requests to one control point; touched on the manager only.
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
    /// Those that wait, and the one that has its turn.
    var calls: OrderedTable<UInt64, Call> = [:]
    /// Whether indications stay on between two requests: from the first request to the end of the link.
    var isKept = false
    /// Ends the procedure that is under way.
    var limit: CentralManager.Deadlines.Token?

    init(_ peripheral: PeerIdentifier, _ attribute: AttributeID) {
        (self.peripheral, self.attribute) = (peripheral, attribute)
    }

    /// The manager was released: nothing comes any more.
    deinit {
        for call in calls.values { call.answer?(.failure(.invalidated)) }
    }

    /// Whether indications are to be on.
    var isWanted: Bool { isKept || !calls.isEmpty }

    /// Whether a value is the response that is waited for.
    func isResponse(_ value: Bytes) -> Bool {
        guard let current = machine.current, let call = calls[current.number]?.call else { return false }
        return (current.isAborting ? call.abort : call.request)?.isResponse(value) ?? false
    }
}
