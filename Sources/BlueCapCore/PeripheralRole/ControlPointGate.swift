// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// What admits the writes of centrals to a control point, one request at a time.
protocol ControlPointGate: AnyObject, Sendable {
    /// Whether an app takes the requests.
    var hasConsumers: Bool { get }

    /// A central has written: the write is answered here, and what is a request goes on to the app.
    func admit(_ write: WriteRequest, on manager: isolated PeripheralManager)

    /// A central does not listen any more; nil for all of them.
    func left(_ central: PeerIdentifier?)

    /// Ends the streams.
    func endStreams()
}

/// The gate of a control point with messages of a type.
final class TypedControlPointGate<Message: ControlPointMessage>: ControlPointGate {
    private struct State {
        var timeLimit = Duration.zero
        /// The request that is under way.
        var current: ProcedureTicket?
    }

    private let state = Locked(State())
    private let caster = Multicaster<ControlPointRequest<Message>>(replay: .none)

    deinit { caster.finish() }

    var hasConsumers: Bool { caster.consumerCount > 0 }

    func stream(timeLimit: Duration) -> AsyncStream<ControlPointRequest<Message>> {
        state.withLock { $0.timeLimit = timeLimit }
        // Only the newest can be open: those before it were answered, aborted, or their central has left.
        return caster.stream(capacity: .newest(1))
    }

    func admit(_ write: WriteRequest, on manager: isolated PeripheralManager) {
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
        if message == Message.abort {
            current?.claim()
            write.respond(.success)
            _ = characteristic.indicate(
                SerDe.serialize(Message(to: message.opCode, Message.succeeded)), to: write.central)
            return
        }
        if current?.isOpen == true {
            write.respond(.procedureAlreadyInProgress)
            return
        }
        write.respond(.success)
        let ticket = ProcedureTicket(write.central?.identifier, of: manager)
        state.withLock { $0.current = ticket }
        let request = ControlPointRequest(message, to: characteristic, from: write.central, ticket: ticket)
        ticket.ends(at: manager.after(timeLimit) { [weak request] _ in request?.respond(Message.failed) })
        caster.push(request)
    }

    func left(_ central: PeerIdentifier?) { state.withLock { $0.current }?.left(central) }

    func endStreams() { caster.endStreams() }
}

extension MutableCharacteristic {
    /// The gate of the control point that this is; nil where the app does not take its requests as such.
    var gate: (any ControlPointGate)? { facts.withLock { $0.gate } }

    /// The gate with messages of a type, made with the first call.
    func gate<Message: ControlPointMessage>(_ type: Message.Type) -> TypedControlPointGate<Message> {
        facts.withLock { facts in
            if let gate = facts.gate as? TypedControlPointGate<Message> { return gate }
            let gate = TypedControlPointGate<Message>()
            facts.gate = gate
            return gate
        }
    }
}
