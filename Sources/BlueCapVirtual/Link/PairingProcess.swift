import BlueCapCore

/// Whoever a side of a pairing asks: the app behind a role, or a virtual peripheral's setting.
final class PairingQuestions {
    private let ether: Ether
    private var capability: PairingCapability?
    private var open: OrderedTable<PairingPromptID, (peer: PeripheralIdentifier, answer: (Bool) -> Void)> = [:]
    private var last: UInt64 = 0
    private let asked: (PairingPrompt) -> Void
    private let ended: (PairingPromptID) -> Void

    init(ether: Ether, asked: @escaping (PairingPrompt) -> Void, ended: @escaping (PairingPromptID) -> Void) {
        self.ether = ether
        self.asked = asked
        self.ended = ended
    }

    /// Whether there is an app that answers.
    var isAnswered: Bool { capability != nil }

    /// Whether that app can show six digits and take a yes or no.
    var canCompare: Bool { capability == .displayYesNo || capability == .keyboardDisplay }

    func set(_ capability: PairingCapability?) {
        self.capability = capability
        guard capability == nil else { return }
        let left = open.values
        open = [:]
        for question in left { question.answer(false) }
    }

    /// Asks whether to pair, or whether the digits are the same; no app, no pairing.
    func ask(about peer: PeripheralIdentifier, _ passkey: UInt32?, _ answer: @escaping (Bool) -> Void) {
        guard isAnswered else { return answer(false) }
        last += 1
        let id = PairingPromptID(rawValue: last)
        open[id] = (peer, answer)
        asked(PairingPrompt(id: id, peer: peer, kind: passkey.map { .confirm(passkey: $0) } ?? .authorize))
    }

    func answer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        guard let question = open.removeValue(forKey: id) else { return }
        question.answer(answer == .accept)
    }

    /// Nobody waits for the answers about a peer any more.
    func end(about peer: PeripheralIdentifier) {
        for id in open.keys where open[id]?.peer == peer {
            open[id] = nil
            ended(id)
        }
    }
}

/// Pairing and encrypting on one link, started by the central.
final class PairingProcess {
    /// How many connection intervals pairing takes, and encrypting with a key that both sides have.
    private static let pairingEvents: Int64 = 10
    private static let encryptionEvents: Int64 = 3
    /// How long a side may take to answer (Core Specification, Vol 3, Part H, 3.4).
    private static let limit = Duration.seconds(30)

    private unowned let link: Link
    private var waiters: [(PairingFailure?) -> Void] = []
    /// A step of a pairing that was taken back finds another number here.
    private var epoch: UInt64 = 0
    private var alarm: Timeline.Entry?

    init(link: Link) { self.link = link }

    /// Encrypts the link, and pairs where there are no keys; `then` is told why not, or nil.
    ///
    /// Two sides that can both show digits and take an answer compare them; all others pair by Just Works.
    ///
    /// - Parameter isWanted: Whether the central's app asked for it, which settles Just Works on its side.
    func run(isWanted: Bool = false, _ then: @escaping (PairingFailure?) -> Void) {
        if link.isEncrypted { return then(nil) }
        waiters.append(then)
        guard waiters.count == 1 else { return }
        let epoch = epoch
        if link.ether.isBonded(link.central.adapter, link.peer) {
            return link.peer.answersWithKey ? encrypt(Self.encryptionEvents, epoch) : finish(.failed)
        }
        let questions = link.central.pairing
        guard questions.isAnswered else { return finish(.rejected) }
        let passkey = questions.canCompare && link.peer.canCompare ? link.ether.makePasskey() : nil
        alarm = link.ether.timeline.schedule(after: Self.limit) { [weak self] in
            guard let self, self.epoch == epoch else { return }
            end(.timeout)
        }
        let answered: (Bool) -> Void = { [weak self] accepts in
            guard let self, self.epoch == epoch else { return }
            guard accepts else { return finish(.rejected) }
            link.peer.answerToPairing(by: link, passkey) { [weak self] accepts in
                guard let self, self.epoch == epoch else { return }
                if accepts { encrypt(Self.pairingEvents, epoch) } else { finish(.failed) }
            }
        }
        if isWanted, passkey == nil { answered(true) } else { questions.ask(about: link.identifier, passkey, answered) }
    }

    /// Takes a pairing back that is under way.
    func cancel() { end(.cancelled) }

    private func end(_ failure: PairingFailure) {
        link.central.pairing.end(about: link.identifier)
        link.peer.endPairing(by: link)
        finish(failure)
    }

    /// The link has ended: nobody is told.
    func stop() {
        waiters = []
        cancel()
    }

    private func encrypt(_ events: Int64, _ epoch: UInt64) {
        link.ether.timeline.schedule(after: .nanoseconds(events * link.interval.nanoseconds)) { [weak self] in
            guard let self, self.epoch == epoch, link.isOpen else { return }
            guard link.peer.isReachable else { return finish(.timeout) }
            link.isEncrypted = true
            link.ether.bond(link.central.adapter, link.peer, as: link.identifier)
            link.central.bondChanged(link.identifier, true)
            finish(nil)
        }
    }

    private func finish(_ failure: PairingFailure?) {
        epoch += 1
        link.ether.timeline.cancel(alarm)
        alarm = nil
        let waiting = waiters
        waiters = []
        for then in waiting { then(failure) }
    }
}
