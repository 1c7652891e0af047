// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

// The connection to the bus and the life of the daemon behind it.
extension BlueZSession {
    static let name = "org.bluez"

    func open() {
        openingLink = BusLink.open(address, on: loop) { [weak self] result in
            // A session that is released meanwhile has closed it.
            guard let self else { return }
            openingLink = nil
            switch result {
            case .success(let link): attach(link)
            case .failure(let error): openFailed(error)
            }
        }
    }

    private func openFailed(_ error: DBusError) {
        discoveries.daemonLeft()
        become(.unreachable(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
        retry { $0.open() }
    }

    /// Calls `body` after a while, which is longer each time until everything is ready: 0.25 s, doubled up to 30 s.
    func retry(_ body: @escaping @Sendable (BlueZSession) -> Void) {
        let delay = Duration.milliseconds(250 * (1 << min(failures, 7)))
        failures += 1
        after(min(delay, .seconds(30))) { [weak self] in if let self { body(self) } }
    }

    private func attach(_ link: BusLink) {
        self.link = link
        link.onDisconnect { [weak self, weak link] in
            if let self, let link, self.link === link { busLost() }
        }
        let patience = after(Self.answerTime) { [weak self, weak link] in
            if let self, let link, self.link === link { busRefused(.unanswered("GetNameOwner", by: "the message bus")) }
        }
        do throws(DBusError) {
            try link.watchName(
                Self.name, handler: { [weak self] in self?.ownerChanged(to: $0.owner) },
                ready: { [weak self] in
                    patience?.cancel()
                    self?.ownerKnown($0)
                })
            try addRules(to: link)
            listen(to: link)
        } catch {
            busRefused(BlueZFailure.failure(error))
        }
    }

    /// Four rules in all; this side distinguishes signals by path.
    private func addRules(to link: BusLink) throws(DBusError) {
        let properties = StandardInterface.properties
        let manager = StandardInterface.objectManager
        let rules = [
            try MatchRule(sender: Self.name, interface: manager, path: "/"),
            try MatchRule(
                sender: Self.name, interface: properties, member: "PropertiesChanged",
                pathNamespace: BlueZPath.root),
            try MatchRule(
                sender: Self.name, interface: BlueZInterface.device, member: "Disconnected",
                pathNamespace: BlueZPath.root),
        ]
        for rule in rules {
            link.addMatch(rule) { [weak self] result in
                guard let self, self.link === link, case .failure(let error) = result else { return }
                // The end of the connection, which is reported next, is no refusal.
                if error == .disconnected { return }
                busRefused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error))
            }
        }
    }

    private func busLost(_ message: String = "the connection to the message bus was lost") {
        link = nil
        forgetDaemon()
        let failure = BackendFailure(
            name: "org.freedesktop.DBus.Error.Disconnected", message: message, isTransient: true)
        become(.unreachable(failure, isRefusal: false))
        retry { $0.open() }
    }

    /// The bus refuses a part of the mirror's needs; on a new connection it may grant it.
    private func busRefused(_ failure: BackendFailure, isRefusal: Bool = false) {
        link?.close()
        link = nil
        forgetDaemon()
        become(.refused(failure, isRefusal: isRefusal))
        retry { $0.open() }
    }

    /// How long an answer may take that everything else waits for: D-Bus's usual 25 s.
    static let answerTime = Duration.seconds(25)

    /// How long bluetoothd may take for its slowest answer: 40 s for `Connect`.
    private static let patience = Duration.seconds(60)

    /// bluetoothd never answers some calls, as a read on a link whose pairing failed, and each of these takes a place
    /// among the calls that the bus allows for as long as the connection lives. When they have all of them, only a new
    /// connection helps.
    func watchForStall(_ link: BusLink) {
        guard link.isSaturated, !isWatchingForStall else { return }
        isWatchingForStall = true
        let answered = link.metrics.answered
        after(Self.patience) { [weak self] in
            guard let self else { return }
            isWatchingForStall = false
            guard self.link === link, link.isSaturated else { return }
            let metrics = link.metrics
            if metrics.answered != answered { return watchForStall(link) }
            link.close()
            busLost("bluetoothd has answered none of \(metrics.inFlight) calls for a minute")
        }
    }

    private func ownerKnown(_ result: Result<String?, DBusError>) {
        switch result {
        case .success(let owner): ownerChanged(to: owner)
        case .failure(.disconnected): break
        case .failure(let error):
            busRefused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error))
        }
    }

    private func ownerChanged(to owner: String?) {
        if owner != nil, owner == self.owner { return }
        if self.owner != nil { forgetDaemon() }
        self.owner = owner
        guard owner != nil else {
            discoveries.daemonLeft()
            return become(.withoutDaemon)
        }
        // An exchange without a gap is a restart too: observers see the old daemon's end first.
        if status == .ready { become(.withoutDaemon) }
        become(.loading)
        load()
    }

    private func forgetDaemon() {
        generation += 1
        if owner != nil { discoveries.daemonLeft() }
        owner = nil
        endReading()
        tree = ObjectMirror()
        discoveries.reset()
        notifying = NotifyingManagers()
        pairing.reset()
    }
}
#endif
