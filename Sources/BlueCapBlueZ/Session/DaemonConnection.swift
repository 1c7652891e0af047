// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The connection of a session to the bus, and the lives of the daemon behind it. Loop only, like its session.
final class DaemonConnection {
    static let name = "org.bluez"

    private let address: BusAddress
    private(set) var link: BusLink?
    /// The connection that the bus has not welcomed yet.
    private(set) var openingLink: BusLink?
    /// The unique name of the daemon that lives now.
    private(set) var owner: String?
    /// Counts the daemon's lives, by which a late reply of an earlier one is recognised.
    private(set) var generation: UInt64 = 0
    /// How often in a row the bus or the daemon refused a necessary call.
    private var failures = 0
    private var isWatchingForStall = false

    init(to address: BusAddress) { self.address = address }

    func open(_ session: BlueZSession) {
        openingLink = BusLink.open(address, on: session.loop) { [weak self, weak session] result in
            // A session that is released meanwhile has closed it.
            guard let self, let session else { return }
            openingLink = nil
            switch result {
            case .success(let link): attach(link, session)
            case .failure(let error): openFailed(error, session)
            }
        }
    }

    private func openFailed(_ error: DBusError, _ session: BlueZSession) {
        session.discoveries.daemonLeft()
        session.become(.unreachable(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
        reopen(session)
    }

    private func reopen(_ session: BlueZSession) { retry(session) { $0.daemon.open($0) } }

    /// Calls `body` after a while, which is longer each time until everything is ready: 0.25 s, doubled up to 30 s.
    func retry(_ session: BlueZSession, _ body: @escaping @Sendable (BlueZSession) -> Void) {
        let delay = Duration.milliseconds(250 * (1 << min(failures, 7)))
        failures += 1
        session.after(min(delay, .seconds(30))) { [weak session] in if let session { body(session) } }
    }

    /// The bus and the daemon have done everything necessary.
    func succeeded() { failures = 0 }

    private func attach(_ link: BusLink, _ session: BlueZSession) {
        self.link = link
        link.onDisconnect { [weak session, weak link] in
            if let session, let link, session.link === link { session.daemon.busLost(session) }
        }
        let patience = session.after(Self.answerTime) { [weak session, weak link] in
            guard let session, let link, session.link === link else { return }
            session.daemon.busRefused(.unanswered("GetNameOwner", by: "the message bus"), session)
        }
        do throws(DBusError) {
            try link.watchName(
                Self.name,
                handler: { [weak session] change in session.map { $0.daemon.ownerChanged(to: change.owner, $0) } },
                ready: { [weak session] result in
                    patience?.cancel()
                    session.map { $0.daemon.ownerKnown(result, $0) }
                })
            try addRules(to: link, session)
            session.listen(to: link)
        } catch {
            busRefused(BlueZFailure.failure(error), session)
        }
    }

    /// Three rules in all; this side distinguishes signals by path.
    private func addRules(to link: BusLink, _ session: BlueZSession) throws(DBusError) {
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
            link.addMatch(rule) { [weak session] result in
                guard let session, session.link === link, case .failure(let error) = result else { return }
                // The end of the connection, which is reported next, is no refusal.
                if error == .disconnected { return }
                session.daemon.busRefused(
                    BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error), session)
            }
        }
    }

    private func busLost(_ session: BlueZSession, message: String = "the connection to the message bus was lost") {
        link = nil
        forgetDaemon(session)
        let failure = BackendFailure(
            name: "org.freedesktop.DBus.Error.Disconnected", message: message, isTransient: true)
        session.become(.unreachable(failure, isRefusal: false))
        reopen(session)
    }

    /// The bus refuses a part of the mirror's needs; on a new connection it may grant it.
    private func busRefused(_ failure: BackendFailure, isRefusal: Bool = false, _ session: BlueZSession) {
        link?.close()
        link = nil
        forgetDaemon(session)
        session.become(.refused(failure, isRefusal: isRefusal))
        reopen(session)
    }

    /// How long an answer may take that everything else waits for: D-Bus's usual 25 s.
    static let answerTime = Duration.seconds(25)

    /// How long bluetoothd may take for its slowest answer: 40 s for `Connect`.
    private static let patience = Duration.seconds(60)

    /// bluetoothd never answers some calls, as a read on a link whose pairing failed, and each of these takes a place
    /// among the calls that the bus allows for as long as the connection lives. When they have all of them, only a new
    /// connection helps.
    func watchForStall(_ link: BusLink, _ session: BlueZSession) {
        guard link.isSaturated, !isWatchingForStall else { return }
        isWatchingForStall = true
        let answered = link.metrics.answered
        session.after(Self.patience) { [weak session] in
            session.map { $0.daemon.endWatch(link, answered, $0) }
        }
    }

    private func endWatch(_ link: BusLink, _ answered: Int, _ session: BlueZSession) {
        isWatchingForStall = false
        guard self.link === link, link.isSaturated else { return }
        let metrics = link.metrics
        if metrics.answered != answered { return watchForStall(link, session) }
        link.close()
        busLost(session, message: "bluetoothd has answered none of \(metrics.inFlight) calls for a minute")
    }

    // MARK: Lives of the daemon

    private func ownerKnown(_ result: Result<String?, DBusError>, _ session: BlueZSession) {
        switch result {
        case .success(let owner): ownerChanged(to: owner, session)
        case .failure(.disconnected): break
        case .failure(let error):
            busRefused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error), session)
        }
    }

    private func ownerChanged(to owner: String?, _ session: BlueZSession) {
        if owner != nil, owner == self.owner { return }
        if self.owner != nil { forgetDaemon(session) }
        self.owner = owner
        guard owner != nil else {
            session.discoveries.daemonLeft()
            return session.become(.withoutDaemon)
        }
        // An exchange without a gap is a restart too: observers see the old daemon's end first.
        if session.status == .ready { session.become(.withoutDaemon) }
        session.become(.loading)
        session.objects.load(into: session)
    }

    private func forgetDaemon(_ session: BlueZSession) {
        generation += 1
        if owner != nil { session.discoveries.daemonLeft() }
        owner = nil
        session.forgetObjects()
    }
}
#endif
