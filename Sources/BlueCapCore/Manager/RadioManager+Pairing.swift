// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Who answers the questions of pairing in one manager.
struct PairingDesk {
    /// Whether Just Works is accepted without asking.
    let acceptsJustWorks: Bool
    /// The app's streams, the oldest first.
    var consumers: OrderedTable<UInt64, PairingConsumer> = [:]
    /// The prompts that ask or show a code, until each is answered, let go of or over.
    var tickets: OrderedTable<PairingPromptID, PairingTicket> = [:]
    /// The prompts that the platform still shows, though the app has let go of them.
    var leftShown: Set<PairingPromptID> = []
    /// How many calls to pair run with each peer.
    private var calls: [PeerIdentifier: Int] = [:]
    /// The capability that the backend has.
    var told: PairingCapability?

    init(acceptsJustWorks: Bool) {
        self.acceptsJustWorks = acceptsJustWorks
        told = wanted
    }

    /// The capability that the backend has to have: that of the first stream. Without a stream, Just Works needs the
    /// lowest.
    var wanted: PairingCapability? {
        consumers.values.first?.capability ?? (acceptsJustWorks || !calls.isEmpty ? .noInputNoOutput : nil)
    }

    /// Whether Just Works with a peer is accepted without asking: the configuration says so, or the app's own call to
    /// pair.
    func acceptsJustWorks(with peer: PeerIdentifier) -> Bool { acceptsJustWorks || calls[peer] != nil }

    mutating func callBegan(with peer: PeerIdentifier) { calls[peer, default: 0] += 1 }

    mutating func callEnded(with peer: PeerIdentifier) {
        let count = calls[peer] ?? 0
        calls[peer] = count > 1 ? count - 1 : nil
    }

    /// The manager was released: the backend answers in its place, and the app no longer can.
    func closeTickets() {
        for ticket in tickets.values { ticket.close() }
    }
}

/// Streams that were opened, which may be on any thread, and that the manager has not seen yet.
struct PairingInbox {
    fileprivate var last: UInt64 = 0
    fileprivate var opened: [(number: UInt64, consumer: PairingConsumer)] = []
}

/// One stream of pairing requests.
final class PairingConsumer: Sendable {
    let capability: PairingCapability
    let box: Mailbox<PairingRequest, Never>

    init(capability: PairingCapability, box: Mailbox<PairingRequest, Never>) {
        self.capability = capability
        self.box = box
    }

    /// The manager was released: nothing comes any more.
    deinit { box.finish() }
}

/// Pairing, the same in both roles.
extension RadioManager {
    /// A new stream of the requests of pairing.
    nonisolated func makePairingRequests(_ capability: PairingCapability) -> AsyncStream<PairingRequest> {
        let lifetime = PairingLifetime(manager: self, capability: capability)
        return AsyncStream { await lifetime.box.next() }
    }

    /// Takes the streams in that were opened. Every request to the backend does so first: a task on the manager's own
    /// executor gets there before the jobs submitted to it.
    func takePairingConsumers() {
        let opened = pairingInbox.withLock { inbox in
            defer { inbox.opened = [] }
            return inbox.opened
        }
        if opened.isEmpty { return }
        for (number, consumer) in opened {
            if isInvalidated { consumer.box.finish() } else { pairingDesk.consumers[number] = consumer }
        }
        settlePairing()
    }

    fileprivate func removePairingConsumer(_ number: UInt64) {
        takePairingConsumers()
        guard pairingDesk.consumers.removeValue(forKey: number) != nil else { return }
        settlePairing()
    }

    private func setPairingCapability(_ capability: PairingCapability?) {
        pairingBackend.onExecutor { $0.setPairingCapability(capability) }
    }

    private func sendPairingAnswer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        pairingBackend.onExecutor { $0.answerPairing(id, answer) }
    }

    /// The app calls to pair with a peer, which is its consent to Just Works until the call ends.
    func pairingCallBegan(with peer: PeerIdentifier) {
        pairingDesk.callBegan(with: peer)
        settlePairing()
    }

    /// A call to pair has ended.
    func pairingCallEnded(with peer: PeerIdentifier) {
        pairingDesk.callEnded(with: peer)
        settlePairing()
    }

    /// Tells the backend the capability wanted now, once every question is answered and every code is over: a
    /// request outlives the stream that it came by, and the platform would take it back. A prompt that the app let go
    /// of ends where nothing is asked any more, but not by a change of the capability.
    private func settlePairing() {
        let wanted = pairingDesk.wanted
        if isInvalidated || wanted == pairingDesk.told || !pairingDesk.tickets.isEmpty { return }
        if wanted != nil, !pairingDesk.leftShown.isEmpty { return }
        pairingDesk.leftShown = []
        pairingDesk.told = wanted
        setPairingCapability(wanted)
    }

    /// The platform asks.
    func pairingRequested(_ prompt: PairingPrompt) {
        if prompt.kind == .authorize, pairingDesk.acceptsJustWorks(with: prompt.peer), !isInvalidated {
            return sendPairingAnswer(prompt.id, .accept)
        }
        let isAnswerable = if case .displayPasskey = prompt.kind { false } else { true }
        guard !pairingDesk.consumers.isEmpty else { return isAnswerable ? answered(prompt, .reject) : () }
        let ticket = PairingTicket(isAnswerable: isAnswerable) { [weak self] answer in
            self?.later { isAnswerable ? $0.answered(prompt, answer) : $0.letGo(of: prompt) }
        }
        pairingDesk.tickets[prompt.id] = ticket
        let request = PairingRequest(prompt, ticket: ticket)
        for consumer in pairingDesk.consumers.values { consumer.box.push(request) }
    }

    private func answered(_ prompt: PairingPrompt, _ answer: PairingAnswer) {
        pairingDesk.tickets[prompt.id] = nil
        // A service that is refused is no pairing that is.
        let isPairing = if case .authorizeService = prompt.kind { false } else { true }
        if answer == .reject, isPairing { pairingRejected(prompt.peer) }
        sendPairingAnswer(prompt.id, answer)
        settlePairing()
    }

    /// The app looks no more at the code shown.
    private func letGo(of prompt: PairingPrompt) {
        guard pairingDesk.tickets.removeValue(forKey: prompt.id) != nil else { return }
        pairingDesk.leftShown.insert(prompt.id)
        settlePairing()
    }

    /// The platform does not wait for the answer any more.
    func pairingRequestEnded(_ id: PairingPromptID) {
        let ticket = pairingDesk.tickets.removeValue(forKey: id)
        ticket?.close()
        if ticket != nil || pairingDesk.leftShown.remove(id) != nil { settlePairing() }
    }

    /// The radio went off: all requests of pairing are over.
    func endPairingRequests() {
        rejectPairingRequests()
        settlePairing()
    }

    /// Rejects the requests that have no answer. An answer of the app that is under way is sent when it comes.
    private func rejectPairingRequests() {
        let tickets = pairingDesk.tickets
        pairingDesk.tickets = [:]
        pairingDesk.leftShown = []
        for (id, ticket) in tickets where ticket.close() && ticket.isAnswerable { sendPairingAnswer(id, .reject) }
    }

    /// The manager is ended: its streams end, and the platform asks no more.
    func endPairing() {
        rejectPairingRequests()
        for consumer in pairingDesk.consumers.values { consumer.box.finish() }
        pairingDesk.consumers = [:]
        if pairingDesk.told != nil { setPairingCapability(nil) }
        pairingDesk.told = nil
    }
}

/// Answers for as long as the stream that holds it lives.
private final class PairingLifetime: Sendable {
    /// How many questions wait for a slow loop; an older one is rejected, unless another stream has it.
    private static var capacity: Int { 16 }

    // A dropped request is let go outside of the mailbox's lock, as it rejects by its end.
    let box = Mailbox<PairingRequest, Never>(capacity: .newest(PairingLifetime.capacity), onDrop: { _ in })
    private let end: @Sendable () -> Void

    init<Manager: RadioManager>(manager: Manager, capability: PairingCapability) {
        let consumer = PairingConsumer(capability: capability, box: box)
        let number = manager.pairingInbox.withLock { inbox in
            inbox.last += 1
            inbox.opened.append((inbox.last, consumer))
            return inbox.last
        }
        end = { [weak manager] in manager?.later { $0.removePairingConsumer(number) } }
        manager.later { $0.takePairingConsumers() }
    }

    deinit { end() }
}
