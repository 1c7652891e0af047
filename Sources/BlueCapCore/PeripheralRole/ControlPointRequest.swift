// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A central's request to a control point, which the app answers with a response, exactly once.
///
/// The central's write is answered by then; the response goes to it as an indication. A request that is released
/// without a response is answered with `ControlPointMessage.failed`, and so is one that is not answered in time.
/// Answers may be given from any thread.
public final class ControlPointRequest<Message: ControlPointMessage>: Sendable {
    /// The message of the request.
    public let message: Message
    /// The control point.
    public let characteristic: MutableCharacteristic
    /// The central that requests; nil where the platform does not report it.
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

    /// Whether it can still be answered: false once it was, when the time is over, when the central has aborted it
    /// (`ControlPointMessage.abort`), and when the central does not listen any more. An app that reports values looks
    /// before each of them.
    public var isOpen: Bool { ticket.isOpen }

    /// Responds with a result.
    ///
    /// - Returns: False when it was answered before, or when it is too late.
    @discardableResult
    public func respond(_ result: Message.Result = Message.succeeded) -> Bool {
        respond(with: Message(to: message.opCode, result))
    }

    /// Responds with a message, for a response that has data.
    ///
    /// - Returns: False when it was answered before, when it is too late, or for a response of more than 512 bytes, the
    ///   longest value of an attribute, in place of which `ControlPointMessage.failed` is sent.
    @discardableResult
    public func respond(with response: Message) -> Bool {
        let bytes = SerDe.serialize(response)
        if bytes.count > maximumAttributeLength {
            respond(Message.failed)
            return false
        }
        return ticket.claim() && characteristic.indicate(bytes, to: central)
    }
}

extension ControlPointRequest: CustomStringConvertible {
    /// The central, the request and the characteristic.
    public var description: String {
        "\(central?.description ?? "a central") requests \(message) of \(characteristic)"
    }
}

/// The right to answer one request to a control point, used once, from anywhere.
final class ProcedureTicket: Sendable {
    private struct State {
        var isOpen = true
        var deadline: DeadlineQueue<PeripheralManager.Action>.Token?
    }

    private weak let manager: PeripheralManager?
    private let central: PeerIdentifier?
    private let state = Locked(State())

    init(_ central: PeerIdentifier?, of manager: PeripheralManager) {
        (self.central, self.manager) = (central, manager)
    }

    /// Whether nobody has answered yet, and it is not too late.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Ends by itself at a deadline, which is taken back where it ends before.
    func ends(at deadline: DeadlineQueue<PeripheralManager.Action>.Token) {
        state.withLock { $0.deadline = deadline }
    }

    /// Takes the right to answer; false when it is taken, or worth nothing any more.
    @discardableResult
    func claim() -> Bool {
        let (isMine, deadline) = state.withLock { state in
            defer { state.isOpen = false }
            return (state.isOpen, state.deadline.take())
        }
        if let deadline { manager?.later { $0.cancelDeadline(deadline) } }
        return isMine
    }

    /// A central does not listen any more; nil for all of them.
    func left(_ central: PeerIdentifier?) {
        if central == nil || self.central == nil || central == self.central { claim() }
    }
}
