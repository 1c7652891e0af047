// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A type that admits the writes of centrals to a control point, one request at a time.
protocol ControlPointGate: AnyObject, Sendable {
    /// A Boolean value that is true if the app listens to the requests.
    var hasConsumers: Bool { get }

    /// Answers the write of a central, and passes it to the app if it is a request.
    func admit(_ write: WriteRequest, on owner: isolated some PeripheralOwner)

    /// Returns a Boolean value that is true if the app has not ended a procedure that a central began.
    func isUnderWay(for central: PeerIdentifier) -> Bool

    /// A central no longer listens; nil stands for all centrals.
    func left(_ central: PeerIdentifier?)

    /// A central has another identifier from now on.
    func centralRenamed(_ former: PeerIdentifier, to present: PeerIdentifier)

    func endStreams()
}

/// The gate of a control point with messages of a type.
final class TypedControlPointGate<Message: ControlPointMessage>: ControlPointGate {
    private struct State {
        var timeLimit = Duration.zero
        var current: ProcedureTicket?
    }

    private let state = Locked(State())
    private let caster = Multicaster<ControlPointRequest<Message>>(replay: .none)

    deinit { caster.finish() }

    var hasConsumers: Bool { caster.consumerCount > 0 }

    func stream(timeLimit: Duration) -> AsyncStream<ControlPointRequest<Message>> {
        state.withLock { $0.timeLimit = timeLimit }
        // Only the newest request can be open: earlier requests were answered or aborted, or their central has left.
        return caster.stream(capacity: .newest(1))
    }

    func admit(_ write: WriteRequest, on owner: isolated some PeripheralOwner) {
        let characteristic = write.characteristic
        guard characteristic.hasSubscriber(write.central?.identifier) else {
            write.respond(.clientConfigurationImproper)
            return
        }
        guard write.offset == 0 else {
            write.respond(.invalidOffset)
            return
        }
        let message: Message
        do { message = try SerDe.deserialize(write.value) } catch { return write.refuse(error) }
        let (current, timeLimit) = state.withLock { ($0.current, $0.timeLimit) }
        let isAbort = message == Message.abort
        // A central ends no procedure but its own.
        if let current, current.isUnderWay || characteristic.hasWaitingResponse,
            !isAbort || !current.isOf(write.central?.identifier)
        {
            write.respond(.procedureAlreadyInProgress)
            return
        }
        write.respond(.success)
        let ticket = ProcedureTicket(write.central?.identifier, of: owner.manager)
        state.withLock { $0.current = ticket }
        if isAbort {
            current?.claim()
            // A response that is on its way to its queue is not sent any more.
            current?.end()
            ticket.claim()
            let response = Message(to: message.opCode, Message.succeeded)
            characteristic.indicate(SerDe.serialize(response), for: ticket)
            return
        }
        let request = ControlPointRequest(message, to: characteristic, from: write.central, ticket: ticket)
        ticket.ends(at: owner.after(timeLimit) { [weak request] _ in request?.respond(Message.failed) })
        caster.push(request)
    }

    func isUnderWay(for central: PeerIdentifier) -> Bool {
        guard let current = state.withLock({ $0.current }) else { return false }
        return current.isUnderWay && current.isOf(central)
    }

    func left(_ central: PeerIdentifier?) { state.withLock { $0.current }?.left(central) }

    func centralRenamed(_ former: PeerIdentifier, to present: PeerIdentifier) {
        state.withLock { $0.current }?.centralRenamed(former, to: present)
    }

    func endStreams() { caster.endStreams() }
}

extension MutableCharacteristic {
    /// Returns the gate with messages of a type, which is created by the first call.
    func gate<Message: ControlPointMessage>(_ type: Message.Type) -> TypedControlPointGate<Message> {
        facts.withLock { facts in
            if let gate = facts.gate as? TypedControlPointGate<Message> { return gate }
            let gate = TypedControlPointGate<Message>()
            facts.gate = gate
            return gate
        }
    }
}
