// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// Holds a manager and its backend to the contract between them about channels (``ChannelBackend``).
final class ChannelWatch: Sendable {
    private struct Passage {
        var peer: PeerIdentifier
        /// The number of units that the backend may still deliver.
        var allowance = 0
        var sending: RequestID?
        var isClosedByManager = false
        /// Whether the backend, the link or the radio has ended it.
        var isOver = false
    }

    private struct State {
        var passages: [ChannelID: Passage] = [:]
        var requests: [RequestID: ChannelOperation] = [:]
        var answered: Set<RequestID> = []
        var receivedCount = 0

        mutating func open(_ channel: OpenedChannel) -> String? {
            let isNew = passages.updateValue(Passage(peer: channel.peer), forKey: channel.id) == nil
            return isNew ? nil : "\(channel.id) is opened twice"
        }
    }

    private let journal: RunJournal
    private let name: String
    private let state = Locked(State())

    /// - Parameters:
    ///   - journal: The journal for requests, events and broken rules.
    ///   - name: The beginning of the lines in the journal.
    init(journal: RunJournal, name: String = "") { (self.journal, self.name) = (journal, name) }

    /// The number of units that the backend has delivered.
    var receivedCount: Int { state.withLock { $0.receivedCount } }

    private func check(_ body: (inout State) -> String?) {
        if let problem = state.withLock({ body(&$0) }) { journal.violate(problem) }
    }

    // MARK: Calls to the backend

    func told(_ request: ChannelRequest) {
        let name = name
        journal.note("\(name)> channels: \(request.id) \(request.operation)")
        check { state in
            if state.requests.updateValue(request.operation, forKey: request.id) != nil {
                return "\(request.id) about channels is sent twice"
            }
            guard case .send(let id, let unit) = request.operation else { return nil }
            guard let passage = state.passages[id] else { return "a unit is sent over \(id), which was never open" }
            if passage.isClosedByManager || passage.isOver { return "a unit is sent over \(id), which has ended" }
            if unit.isEmpty { return "an empty unit is sent over \(id)" }
            if let other = passage.sending { return "\(request.id) sends over \(id) while \(other) does" }
            state.passages[id]?.sending = request.id
            return nil
        }
    }

    func told(_ command: ChannelCommand) {
        let name = name
        journal.note("\(name)> channels: \(command)")
        state.withLock { state in
            switch command {
            case .allow(let id, let count): state.passages[id]?.allowance += count
            case .close(let id): state.passages[id]?.isClosedByManager = true
            case .withdraw: break
            }
        }
    }

    // MARK: Events of the backend

    func saw(_ event: ChannelEvent) {
        let name = name
        journal.note("\(name)< channels: \(event)")
        check { state in
            switch event {
            case .accepted(let channel): return state.open(channel)
            case .received(let id, _):
                state.receivedCount += 1
                guard let passage = state.passages[id] else { return "a unit comes over \(id), which was never open" }
                if passage.isOver { return "a unit comes over \(id), which has ended" }
                state.passages[id]?.allowance -= 1
                return passage.allowance > 0 ? nil : "a unit comes over \(id), which was not allowed"
            case .closed(let id, _):
                guard let passage = state.passages[id] else { return "\(id) ends, which was never open" }
                state.passages[id]?.isOver = true
                return passage.isOver ? "\(id) ends twice" : nil
            case .reply(let id, let result):
                guard let operation = state.requests[id] else { return "\(id) about channels was never sent" }
                if !state.answered.insert(id).inserted { return "\(id) about channels is answered twice" }
                if case .send(let channel, _) = operation { state.passages[channel]?.sending = nil }
                if case .success(.opened(let channel)) = result { return state.open(channel) }
                return nil
            }
        }
    }

    /// A peer whose link stands has another identifier.
    func peerChanged(_ former: PeerIdentifier, to present: PeerIdentifier) {
        state.withLock { state in
            for (id, passage) in state.passages where passage.peer == former { state.passages[id]?.peer = present }
        }
    }

    /// The link to a peer, or every link, has ended, and with it the channels.
    func linkEnded(_ peer: PeerIdentifier?) {
        state.withLock { state in
            for (id, passage) in state.passages where peer == nil || passage.peer == peer {
                state.passages[id]?.isOver = true
            }
        }
    }
}
