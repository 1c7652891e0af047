// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A central's request to a control point, which the app answers with a response, exactly once.
///
/// The central's write is already answered; the response is sent to the central as an indication. A request that is
/// released without a response, or not answered in time, is answered with `ControlPointMessage.failed`. Answers may be
/// given from any thread.
public final class ControlPointRequest<Message: ControlPointMessage>: Sendable {
    /// The message of the request.
    public let message: Message
    /// The control point.
    public let characteristic: MutableCharacteristic
    /// The central that requests; nil if the platform does not report it.
    public let central: Central?
    let ticket: ProcedureTicket

    init(_ message: Message, to characteristic: MutableCharacteristic, from central: Central?, ticket: ProcedureTicket)
    {
        self.message = message
        self.characteristic = characteristic
        self.central = central
        self.ticket = ticket
    }

    deinit { respond(Message.failed) }

    /// A Boolean value that is true if the request can still be answered.
    ///
    /// It is false after an answer, when the time is over, when the central has aborted the request
    /// (`ControlPointMessage.abort`), and when the central no longer listens. An app that reports values checks it
    /// before each value.
    public var isOpen: Bool { ticket.isOpen }

    /// Responds with a result.
    ///
    /// - Returns: False if the request was answered before, or if the time for an answer is over.
    @discardableResult
    public func respond(_ result: Message.Result = Message.succeeded) -> Bool {
        respond(with: Message(to: message.opCode, result))
    }

    /// Responds with a message, for a response that has data.
    ///
    /// - Returns: False if the request was answered before, if the time for an answer is over, or for a response of
    ///   more than 512 bytes, the maximum length of an attribute, in place of which `ControlPointMessage.failed` is
    ///   sent.
    @discardableResult
    public func respond(with response: Message) -> Bool {
        let bytes = SerDe.serialize(response)
        if bytes.count > maximumAttributeLength {
            respond(Message.failed)
            return false
        }
        return ticket.claim() && characteristic.indicate(bytes, for: ticket)
    }
}

extension ControlPointRequest: CustomStringConvertible {
    /// The central, the request and the characteristic.
    public var description: String { "\(central?.description ?? "a central") requests \(message) of \(characteristic)" }
}

/// The right to answer one request to a control point once, from any thread.
///
/// The procedure is under way until its response stands in the queue of the control point
/// (``MutableCharacteristic/hasWaitingResponse``), so that a central can have only one response wait there.
final class ProcedureTicket: Sendable {
    private struct State {
        var isOpen = true
        var isUnderWay = true
        var deadline: DeadlineToken?
        var central: PeerIdentifier?
    }

    private weak let manager: PeripheralManager?
    private let state: Locked<State>

    init(_ central: PeerIdentifier?, of manager: PeripheralManager?) {
        self.manager = manager
        state = Locked(State(central: central))
    }

    /// The identifier of the central as it is known now; nil if the platform does not report it.
    var central: PeerIdentifier? { state.withLock { $0.central } }

    /// A Boolean value that is true if there is no answer yet and the time for it is not over.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// A Boolean value that is true until the response stands in its queue, or will never be sent.
    var isUnderWay: Bool { state.withLock { $0.isUnderWay } }

    /// Returns a Boolean value that is true if the procedure is that of a central, as far as the platform tells.
    func isOf(_ central: PeerIdentifier?) -> Bool {
        let own = self.central
        return central == nil || own == nil || central == own
    }

    /// A central has another identifier from now on.
    func centralRenamed(_ former: PeerIdentifier, to present: PeerIdentifier) {
        state.withLock { if $0.central == former { $0.central = present } }
    }

    /// Sets the deadline at which the request ends. It is cancelled if the request ends before.
    func ends(at deadline: DeadlineToken) { state.withLock { $0.deadline = deadline } }

    /// Takes the right to answer. Returns false if it is already taken or no longer valid.
    @discardableResult
    func claim() -> Bool {
        let (isMine, deadline) = state.withLock { state in
            defer { state.isOpen = false }
            return (state.isOpen, state.deadline.take())
        }
        if let deadline { manager?.later { $0.cancelDeadline(deadline) } }
        return isMine
    }

    /// The response stands in its queue, or will never be sent.
    func end() { state.withLock { $0.isUnderWay = false } }

    /// A central no longer listens; nil stands for all centrals.
    func left(_ central: PeerIdentifier?) {
        if !isOf(central) { return }
        claim()
        end()
    }
}
