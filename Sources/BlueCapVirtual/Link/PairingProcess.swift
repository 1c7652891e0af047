// SPDX-License-Identifier: MIT

import BlueCapCore

/// Pairing and encrypting on one link, started by the central.
final class PairingProcess {
    /// How many connection intervals pairing takes, and encrypting with a key that both sides have.
    private static let pairingEvents: Int64 = 10
    private static let encryptionEvents: Int64 = 3
    /// How long the sides may take to answer (Core Specification, Vol 3, Part H, 3.4).
    private static let limit = Duration.seconds(30)

    private enum Side { case central, peripheral }

    // The link holds this, and stops it at its end.
    private unowned let link: VirtualLink
    private var waiters: [(PairingFailure?) -> Void] = []
    /// A step of a pairing that is over finds another number here.
    private var epoch: UInt64 = 0
    private var alarm: Timeline.Entry?
    /// The digits that each side has: shown, typed, or found to be the same.
    private var digits: [Side: UInt32] = [:]

    init(link: VirtualLink) { self.link = link }

    /// Encrypts the link, and pairs where there are no keys; `then` receives the reason of a failure, or nil.
    ///
    /// - Parameter isWanted: Whether the central's app asked for it, which settles Just Works on its side.
    func run(isWanted: Bool = false, _ then: @escaping (PairingFailure?) -> Void) {
        let key = link.medium.bondLevel(link.central.address, link.peer)
        // A link stays encrypted when its key is forgotten, and then has no bond.
        if link.level > .open, key != nil || !isWanted { return then(nil) }
        waiters.append(then)
        guard waiters.count == 1 else { return }
        if let level = key {
            return link.peer.answersWithKey ? encrypt(Self.encryptionEvents, level) : finish(.failed)
        }
        guard let capability = link.central.pairing.capability else { return finish(.rejected) }
        let epoch = epoch
        alarm = link.timeline.schedule(after: Self.limit) { [weak self] in
            guard let self, self.epoch == epoch else { return }
            finish(.timeout)
        }
        switch PairingMethod(central: capability, peripheral: link.peer.pairingCapability) {
        case .justWorks:
            if isWanted { agreed() } else { ask(.central, .authorize) { $0.agreed() } }
        case .comparison:
            let passkey = link.medium.makePasskey()
            exchange(passkey, .confirm(passkey: passkey), .confirm(passkey: passkey))
        case .passkey(let centralTypes, let peripheralTypes):
            let own = peripheralTypes ? nil : link.peer.ownPasskey
            exchange(
                own ?? link.medium.makePasskey(), centralTypes ? .enterPasskey : nil,
                peripheralTypes ? .enterPasskey : nil)
        }
    }

    func cancel() { finish(.cancelled) }

    /// The link has ended: the waiters are dropped without a call.
    func stop() {
        waiters = []
        finish(.cancelled)
    }

    // MARK: Asking

    /// The central's side agrees to Just Works.
    private func agreed() { ask(.peripheral, .authorize) { $0.encrypt(Self.pairingEvents, .encrypted) } }

    /// Shows a passkey on the side that is asked nothing, and goes on when both sides have the same digits.
    private func exchange(_ passkey: UInt32, _ central: PairingRequest.Kind?, _ peripheral: PairingRequest.Kind?) {
        let epoch = epoch
        digits = [:]
        for (side, kind) in [(Side.central, central), (.peripheral, peripheral)] where kind == nil {
            digits[side] = passkey
            show(passkey, side)
        }
        for (side, kind) in [(Side.central, central), (.peripheral, peripheral)] {
            // The first side's answer may have come at once, and ended it.
            guard let kind, self.epoch == epoch else { continue }
            ask(side, kind) { process in
                guard let central = process.digits[.central], let peripheral = process.digits[.peripheral] else {
                    return
                }
                guard central == peripheral else { return process.finish(.failed) }
                process.encrypt(Self.pairingEvents, .secureConnections)
            }
        }
    }

    private func show(_ passkey: UInt32, _ side: Side) {
        switch side {
        case .central: link.central.pairing.show(passkey, to: link.identifier)
        case .peripheral: link.peer.showPasskey(passkey, for: link)
        }
    }

    /// Asks a side and goes on with `then` unless it says no.
    private func ask(_ side: Side, _ kind: PairingRequest.Kind, then: @escaping (PairingProcess) -> Void) {
        let epoch = epoch
        let answered: (PairingAnswer) -> Void = { [weak self] answer in
            guard let self, self.epoch == epoch else { return }
            switch (kind, answer) {
            case (.enterPasskey, .passkey(let passkey)), (.confirm(let passkey), .accept): digits[side] = passkey
            case (.authorize, .accept): break
            default: return finish(side == .central ? .rejected : .failed)
            }
            then(self)
        }
        switch side {
        case .central: link.central.pairing.ask(about: link.identifier, kind, answered)
        case .peripheral: link.peer.answerToPairing(by: link, kind, answered)
        }
    }

    // MARK: Ending

    private func encrypt(_ events: Int64, _ level: SecurityLevel) {
        let epoch = epoch
        link.timeline.cancel(alarm)
        link.timeline.schedule(after: .nanoseconds(events * link.interval.nanoseconds)) { [weak self] in
            guard let self, self.epoch == epoch, link.isOpen else { return }
            guard link.peer.isReachable else { return finish(.timeout) }
            link.level = level
            link.medium.report(.encrypted(link.facts))
            link.medium.bond(link.central.address, link.peer, as: link.identifier, level)
            link.central.bondChanged(link.identifier, true)
            finish(nil)
        }
    }

    private func finish(_ failure: PairingFailure?) {
        epoch += 1
        link.timeline.cancel(alarm)
        link.central.pairing.end(about: link.identifier)
        link.peer.endPairing(by: link)
        let waiting = waiters
        waiters = []
        for then in waiting { then(failure) }
    }
}
