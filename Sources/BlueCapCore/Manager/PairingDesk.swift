// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Who answers the questions of pairing in one manager.
///
/// Streams are opened on any thread, so the state has a lock; everything else happens on the owner. Nothing is called,
/// and nothing is released, while the lock is held.
final class PairingDesk<Owner: PairingOwner>: Sendable {
    private let state: Locked<PairingDeskState>

    init(acceptsJustWorks: Bool) { state = Locked(PairingDeskState(acceptsJustWorks: acceptsJustWorks)) }

    /// The capability that the backend has.
    var reportedCapability: PairingCapability? { state.withLock { $0.reportedCapability } }

    /// The owner was released: the backend answers in its place, and no answer of the app counts any more.
    func closeTickets() { for ticket in state.withLock({ $0.tickets.values }) { ticket.close() } }

    // MARK: Streams

    /// A stream of its own of the questions of pairing.
    func requests(_ capability: PairingCapability, of owner: Owner) -> AsyncStream<PairingRequest> {
        let box = Mailbox<PairingRequest, Never>(capacity: .newest(pairingRequestCapacity), onDrop: { _ in })
        let consumer = PairingConsumer(capability: capability, box: box)
        let number = state.withLock { $0.open(consumer) }
        let lifetime = PairingLifetime(box) { [weak owner] in
            owner?.later { $0.pairing.remove(number, $0) }
        }
        owner.later { $0.pairing.takeConsumers($0) }
        return AsyncStream { await lifetime.box.next() }
    }

    /// Takes the streams in that were opened. Every request to the backend does so first: a task on the owner's own
    /// executor gets there before the call that was submitted to it.
    func takeConsumers(_ owner: isolated Owner) {
        let opened = state.withLock { $0.takeOpened() }
        if opened.isEmpty { return }
        for (number, consumer) in opened {
            if owner.isInvalidated {
                consumer.box.finish()
            } else {
                state.withLock { $0.consumers[number] = consumer }
            }
        }
        reconcile(owner)
    }

    private func remove(_ number: UInt64, _ owner: isolated Owner) {
        takeConsumers(owner)
        if state.withLock({ $0.consumers.removeValue(forKey: number) }) != nil { reconcile(owner) }
    }

    // MARK: Calls to pair

    /// The app calls to pair with a peer, which is its consent to Just Works until the call ends.
    func callBegan(with peer: PeerIdentifier, _ owner: isolated Owner) {
        state.withLock { $0.callBegan(with: peer) }
        reconcile(owner)
    }

    func callEnded(with peer: PeerIdentifier, _ owner: isolated Owner) {
        state.withLock { $0.callEnded(with: peer) }
        reconcile(owner)
    }

    /// Whether the app has said no to a peer since the last of the calls to pair with it began.
    func hasRejected(_ peer: PeerIdentifier) -> Bool { state.withLock { $0.calls[peer]?.hasRejected ?? false } }

    // MARK: Questions

    /// The platform asks.
    func requested(_ prompt: PairingPrompt, _ owner: isolated Owner) {
        if prompt.kind == .authorize, !owner.isInvalidated,
            state.withLock({ $0.acceptsJustWorks(with: prompt.peer) })
        {
            return send(prompt.id, .accept, owner)
        }
        let isAnswerable = if case .displayPasskey = prompt.kind { false } else { true }
        let consumers = state.withLock { $0.consumers.values }
        guard !consumers.isEmpty else { return isAnswerable ? answered(prompt, .reject, owner) : () }
        let ticket = PairingTicket(isAnswerable: isAnswerable) { [weak owner] answer in
            owner?.later {
                isAnswerable ? $0.pairing.answered(prompt, answer, $0) : $0.pairing.letGo(of: prompt, $0)
            }
        }
        _ = state.withLock { state in
            defer { state.tickets[prompt.id] = ticket }
            return state.tickets[prompt.id]
        }
        let request = PairingRequest(prompt, ticket: ticket)
        for consumer in consumers { consumer.box.push(request) }
    }

    private func answered(_ prompt: PairingPrompt, _ answer: PairingAnswer, _ owner: isolated Owner) {
        _ = state.withLock { $0.tickets.removeValue(forKey: prompt.id) }
        // A service that is refused is no pairing that is.
        let isPairing = if case .authorizeService = prompt.kind { false } else { true }
        if answer == .reject, isPairing { state.withLock { $0.calls[prompt.peer]?.hasRejected = true } }
        send(prompt.id, answer, owner)
        reconcile(owner)
    }

    /// The app looks no more at the passkey that is shown.
    private func letGo(of prompt: PairingPrompt, _ owner: isolated Owner) {
        let ticket = state.withLock { $0.tickets.removeValue(forKey: prompt.id) }
        if ticket == nil { return }
        state.withLock { _ = $0.leftShown.insert(prompt.id) }
        reconcile(owner)
    }

    /// The platform does not wait for the answer any more.
    func requestEnded(_ id: PairingPromptID, _ owner: isolated Owner) {
        let ticket = state.withLock { $0.tickets.removeValue(forKey: id) }
        ticket?.close()
        if ticket != nil || state.withLock({ $0.leftShown.remove(id) }) != nil { reconcile(owner) }
    }

    /// The radio went off: every open question is over.
    func endRequests(_ owner: isolated Owner) {
        rejectRequests(owner)
        reconcile(owner)
    }

    /// The owner is ended: its streams end, and the platform asks no more.
    func end(_ owner: isolated Owner) {
        rejectRequests(owner)
        let consumers = state.withLock { $0.consumers.values }
        for consumer in consumers { consumer.box.finish() }
        let reported = state.withLock { state in
            defer { (state.consumers, state.reportedCapability) = ([:], nil) }
            return state.reportedCapability
        }
        if reported != nil { owner.pairingBackend.onExecutor { $0.setPairingCapability(nil) } }
    }

    /// Rejects the requests that have no answer. An answer of the app that is under way is sent when it comes.
    private func rejectRequests(_ owner: isolated Owner) {
        let tickets = state.withLock { state in
            defer { (state.tickets, state.leftShown) = ([:], []) }
            return state.tickets
        }
        for (id, ticket) in tickets where ticket.close() && ticket.isAnswerable { send(id, .reject, owner) }
    }

    private func send(_ id: PairingPromptID, _ answer: PairingAnswer, _ owner: isolated Owner) {
        owner.pairingBackend.onExecutor { $0.answerPairing(id, answer) }
    }

    /// Gives the backend the capability that is wanted now, if it may have another one.
    private func reconcile(_ owner: isolated Owner) {
        if owner.isInvalidated { return }
        guard let wanted = state.withLock({ $0.reconcile() }) else { return }
        owner.pairingBackend.onExecutor { $0.setPairingCapability(wanted) }
    }
}

/// An actor whose backend asks about pairing.
protocol PairingOwner: RadioActor {
    nonisolated var pairing: PairingDesk<Self> { get }
    nonisolated var pairingBackend: any PairingBackend { get }
    var isInvalidated: Bool { get }
}

/// How many questions wait for a slow loop; an older one is rejected, unless another stream has it.
private let pairingRequestCapacity = 16

private struct PairingDeskState {
    /// The calls to pair with one peer.
    struct Calls {
        var count = 0
        /// Whether the app has said no since the last of them began.
        var hasRejected = false
    }

    /// Whether Just Works is accepted without asking.
    let acceptsJustWorks: Bool
    /// The app's streams, the oldest first.
    var consumers: OrderedTable<UInt64, PairingConsumer> = [:]
    /// The requests that are asked or shown, until they are answered, let go of or over.
    var tickets: OrderedTable<PairingPromptID, PairingTicket> = [:]
    /// The passkeys that the platform shows, though the app has let go of them.
    var leftShown: Set<PairingPromptID> = []
    /// The capability that the backend has.
    var reportedCapability: PairingCapability?
    /// The calls to pair that run, by their peers.
    var calls: [PeerIdentifier: Calls] = [:]
    /// Streams that were opened, which may be on any thread, and that the owner has not seen yet.
    private var opened: [(number: UInt64, consumer: PairingConsumer)] = []
    private var lastNumber: UInt64 = 0

    init(acceptsJustWorks: Bool) {
        self.acceptsJustWorks = acceptsJustWorks
        reportedCapability = wanted
    }

    /// The capability that the backend has to have: that of the first stream. Without a stream, Just Works needs the
    /// lowest.
    private var wanted: PairingCapability? {
        consumers.values.first?.capability ?? (acceptsJustWorks || !calls.isEmpty ? .noInputNoOutput : nil)
    }

    /// Whether Just Works with a peer is accepted without asking: the configuration says so, or the app's own call to
    /// pair.
    func acceptsJustWorks(with peer: PeerIdentifier) -> Bool { acceptsJustWorks || calls[peer] != nil }

    mutating func callBegan(with peer: PeerIdentifier) {
        calls[peer] = Calls(count: (calls[peer]?.count ?? 0) + 1)
    }

    mutating func callEnded(with peer: PeerIdentifier) {
        calls[peer]?.count -= 1
        if calls[peer]?.count == 0 { calls[peer] = nil }
    }

    mutating func open(_ consumer: PairingConsumer) -> UInt64 {
        lastNumber += 1
        opened.append((lastNumber, consumer))
        return lastNumber
    }

    mutating func takeOpened() -> [(number: UInt64, consumer: PairingConsumer)] {
        defer { opened = [] }
        return opened
    }

    /// The capability that the backend is to have from now on; nil where it stays as it is.
    ///
    /// It does not change before every question is answered and every passkey over: a request outlives the stream that
    /// it came by, and the platform would take it back. A passkey that the app has let go of ends where nothing is
    /// asked any more, but not by a change of the capability.
    mutating func reconcile() -> PairingCapability?? {
        let wanted = wanted
        if wanted == reportedCapability || !tickets.isEmpty { return nil }
        if wanted != nil, !leftShown.isEmpty { return nil }
        leftShown = []
        reportedCapability = wanted
        return .some(wanted)
    }
}

private final class PairingConsumer: Sendable {
    let capability: PairingCapability
    let box: Mailbox<PairingRequest, Never>

    init(capability: PairingCapability, box: Mailbox<PairingRequest, Never>) {
        self.capability = capability
        self.box = box
    }

    /// The manager was released: nothing comes any more.
    deinit { box.finish() }
}

/// Answers for as long as the stream that holds it lives.
private final class PairingLifetime: Sendable {
    let box: Mailbox<PairingRequest, Never>
    private let end: @Sendable () -> Void

    init(_ box: Mailbox<PairingRequest, Never>, end: @escaping @Sendable () -> Void) {
        self.box = box
        self.end = end
    }

    deinit { end() }
}
