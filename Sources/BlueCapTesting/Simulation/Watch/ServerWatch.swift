// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Holds a peripheral manager and its backend to the contract between them (``PeripheralBackend``).
final class ServerWatch: Sendable {
    private enum Access {
        case open(since: Duration)
        case answered
        case cancelled
    }

    private struct State {
        var isEnded = false
        var sent: Set<RequestID> = []
        /// The updates in flight, by characteristic.
        var updates: [AttributeID: RequestID] = [:]
        var accesses: [AccessID: Access] = [:]
        var pairing = PairingWatch()
        var links = LinkWatch()

        /// The radio is off: the accesses and requests are over.
        mutating func endAll() {
            updates = [:]
            links = LinkWatch()
            for (id, access) in accesses { if case .open = access { accesses[id] = .cancelled } }
        }
    }

    private let journal: RunJournal
    let channels: ChannelWatch
    private let state = Locked(State())

    init(journal: RunJournal) {
        self.journal = journal
        channels = ChannelWatch(journal: journal, name: "server ")
    }

    // MARK: Calls to the backend

    func toldToPerform(_ request: PeripheralRequest) {
        journal.note("server > \(request.id) \(request.operation)")
        let problem = state.withLock { state -> String? in
            if !state.sent.insert(request.id).inserted { return "\(request.id) is sent to the server twice" }
            guard case .update(let characteristic, _, _) = request.operation else { return nil }
            guard let other = state.updates.updateValue(request.id, forKey: characteristic) else { return nil }
            return "\(request.id) updates \(characteristic) while \(other) does"
        }
        if let problem { journal.violate(problem) }
    }

    func toldToRespond(_ id: AccessID, _ result: Result<Bytes, ATTError>) {
        journal.note("server > \(id) \(result)")
        let problem = state.withLock { state -> String? in
            switch state.accesses[id] {
            case .open:
                state.accesses[id] = .answered
                return nil
            // The manager learns of the radio's end with its other events.
            case .cancelled: return nil
            case .answered: return "the manager answers the access \(id) twice"
            case nil: return "the manager answers the access \(id), which was never made"
            }
        }
        if let problem { journal.violate(problem) }
    }

    func toldPairingCapability(_ capability: PairingCapability?) {
        if let problem = state.withLock({ $0.pairing.capabilityWasSet(capability) }) { journal.violate(problem) }
    }

    func toldToAnswer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        journal.note("server > \(id) \(answer)")
        if let problem = state.withLock({ $0.pairing.answered(id, answer) }) { journal.violate(problem) }
    }

    func ended() {
        state.withLock { $0.isEnded = true }
        journal.note("server > the end")
    }

    // MARK: Events of the backend

    func saw(_ event: PeripheralEvent) {
        journal.note("server < \(event)")
        let now = journal.clock.elapsed
        switch event {
        case .stateChanged(let new, _): if new != .poweredOn { channels.linkEnded(nil) }
        case .centralDisconnected(let identifier, _, _): channels.linkEnded(identifier)
        case .centralChanged(let former, let central):
            if let present = central.identifier { channels.peerChanged(former, to: present) }
        default: break
        }
        let problem = state.withLock { state -> String? in
            if state.isEnded { return "the backend tells the server \(event) after its end" }
            switch event {
            case .stateChanged(let new, _):
                if new != .poweredOn { state.endAll() }
                return nil
            case .access(let access):
                let isNew = state.accesses.updateValue(.open(since: now), forKey: access.id) == nil
                return isNew ? nil : "the access \(access.id) is made twice"
            case .centralConnected(let central): return state.links.connected(central)
            case .centralChanged(let identifier, let central): return state.links.changed(identifier, to: central)
            case .centralDisconnected(let identifier, _, _): return state.links.disconnected(identifier)
            case .accessCancelled(let id):
                if case .open = state.accesses[id] { state.accesses[id] = .cancelled }
                return nil
            case .reply(let id, _):
                state.updates = state.updates.filter { $0.value != id }
                return nil
            case .pairingRequested(let prompt): return state.pairing.requested(prompt)
            case .pairingRequestEnded(let id): return state.pairing.ended(id)
            default: return nil
            }
        }
        if let problem { journal.violate(problem) }
    }

    // MARK: The end

    /// Violations for the accesses that the manager owes an answer for longer than it may.
    func checkThatAllWereAnswered(within limit: Duration) {
        let now = journal.clock.elapsed
        let late = state.withLock { state in
            state.accesses.filter { if case .open(let since) = $0.value { now - since > limit } else { false } }.keys
        }
        for id in late.sorted(by: { $0.rawValue < $1.rawValue }) {
            journal.violate("the manager has not answered the access \(id)")
        }
    }
}
