// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop

/// The one discovery that BlueZ grants a bus name on one adapter, shared by this process's managers.
///
/// Moves one call at a time from the running discovery to the wanted one: BlueZ answers a second `StartDiscovery` of
/// one name with `InProgress`, and each `StopDiscovery` ends all of the name's scanning.
// Loop only, like its session.
final class DiscoverySession {
    private enum Phase {
        case idle
        case running(DiscoveryFilter)
        /// A call is on its way; its reply moves on.
        case busy
    }

    /// The discovery that a manager wants, for which it is a client of its own.
    private enum Want {
        /// A scan of the app's, and whether BlueZ may leave out devices that have none of its services.
        case scan(ScanRequest, passingServices: Bool)
        /// Devices to connect to, which BlueZ does not know.
        case devices(Set<PeerIdentifier>)
    }

    private struct ClientID: Hashable {
        let manager: UInt64
        let isScan: Bool
    }

    private struct Client {
        let want: Want
        let delayed: () -> Void
        let started: () -> Void
        let failed: (DBusError) -> Void
        var isTold = false
        var isToldOfDelay = false
    }

    // The callers hold the session: its managers, and the replies below.
    private unowned let session: BlueZSession
    private let adapter: String
    /// Whether this bluetoothd supports a filter for services.
    private let canPassServices: Bool
    private let monitor: AdvertisementMonitor
    private var clients: [ClientID: Client] = [:]
    private var phase = Phase.idle
    /// Whether the kernel has refused the discovery, and is asked again.
    private var isDelayed = false
    private var keys: Set<String>?
    /// A reply to a call of before a reset finds another number here.
    private var epoch: UInt64 = 0

    init(session: BlueZSession, adapter: String, canPassServices: Bool) {
        self.session = session
        self.adapter = adapter
        self.canPassServices = canPassServices
        monitor = AdvertisementMonitor(session: session, adapter: adapter)
    }

    /// Sets a manager's scan; nil ends it. `started` is called when it runs, `failed` when it cannot, and `delayed`
    /// when it has to wait: until it runs a monitor hears devices, or nobody does.
    func set(
        _ request: ScanRequest?, for manager: UInt64, passingServices: Bool = false,
        delayed: @escaping () -> Void = {}, started: @escaping () -> Void = {},
        failed: @escaping (DBusError) -> Void = { _ in }
    ) {
        clients[ClientID(manager: manager, isScan: true)] = request.map {
            Client(
                want: .scan($0, passingServices: passingServices), delayed: delayed, started: started, failed: failed)
        }
        if isDelayed { tellDelayed() }
        reconcile()
    }

    /// Sets the devices that BlueZ is to discover for a manager; `failed` is called when BlueZ cannot scan.
    ///
    /// Beside a scan this costs nothing. Alone it makes BlueZ ignore all other devices: it makes no objects for them,
    /// and sends no signals.
    func seek(_ devices: Set<PeerIdentifier>, for manager: UInt64, failed: @escaping (DBusError) -> Void = { _ in }) {
        clients[ClientID(manager: manager, isScan: false)] =
            devices.isEmpty ? nil : Client(want: .devices(devices), delayed: {}, started: {}, failed: failed)
        reconcile()
    }

    /// The daemon, or the adapter's power, is gone, and the discovery with it.
    func reset() {
        epoch += 1
        phase = .idle
        endDelay()
        monitor.forgetRefusal()
        clients = [:]
    }

    private var wanted: DiscoveryFilter? {
        var requests: [ScanRequest] = []
        var sought: Set<PeerIdentifier> = []
        // BlueZ must not hide devices that one manager wants to hear for another's sake.
        var passesServices = canPassServices
        for client in clients.values {
            switch client.want {
            case .scan(let request, let passingServices):
                requests.append(request)
                passesServices = passesServices && passingServices
            case .devices(let devices): sought.formUnion(devices)
            }
        }
        return DiscoveryFilter(merging: requests, seeking: sought, passingServices: passesServices)
    }

    private func reconcile() {
        switch (phase, wanted) {
        case (.busy, _), (.idle, nil): break
        case (.idle, _?) where session.discoveries.hadOutage(adapter): reconcileLater()
        case (.idle, let filter?): begin(filter, starting: true)
        case (.running, nil): stop { $0.reconcile() }
        case (.running(let current), let filter?):
            if current == filter {
                tellStarted()
            } else if filter.isWider(than: current) {
                stop { $0.reconcile() }
            } else {
                begin(filter, starting: false)
            }
        }
    }

    /// Linux (seen with 7.3) now and then answers the first request after it has switched an adapter on with its
    /// answer to the switching on. BlueZ then says of a discovery that it runs, and hears nothing until the next power
    /// cycle. So the kernel is given the time to finish.
    private static let grace = Duration.milliseconds(100)

    private func reconcileLater() {
        session.discoveries.endOutage(of: adapter)
        later(after: Self.grace) { me in
            me.phase = .idle
            me.reconcile()
        }
    }

    private func tellStarted() {
        for (id, client) in clients where !client.isTold {
            clients[id]?.isTold = true
            session.loop.runLater(client.started)
        }
    }

    private func fail(_ error: DBusError) {
        phase = .idle
        endDelay()
        let failed = clients.values
        clients = [:]
        for client in failed { client.failed(error) }
    }

    // MARK: Calls

    /// - Parameter succeededLate: Called where the call succeeds after a reset, by a daemon that still lives.
    private func call(
        _ member: String, _ body: [DBusValue] = [], succeededLate: @escaping (DiscoverySession) -> Void = { _ in },
        _ reply: @escaping (DiscoverySession, Result<Message, DBusError>) -> Void
    ) {
        phase = .busy
        let epoch = epoch
        let generation = session.generation
        session.call(adapter, BlueZInterface.adapter, member, body) { [weak self, weak session] result in
            // The last manager to go may release the session on another thread meanwhile.
            guard let self, let session, session.isAnswer(result, in: generation) else { return }
            withExtendedLifetime(session) {
                if self.epoch == epoch {
                    reply(self, result)
                } else if case .success = result {
                    succeededLate(self)
                }
            }
        }
    }

    private func begin(_ filter: DiscoveryFilter, starting: Bool) {
        guard let keys else { return learnKeys { $0.begin(filter, starting: starting) } }
        call("SetDiscoveryFilter", [.properties(filter.properties(accepting: keys))]) { me, result in
            if case .failure(let error) = result { return me.fail(error) }
            if starting { me.start(filter) } else { me.run(filter) }
        }
    }

    /// Asks which keys this daemon accepts: an unknown one would be refused.
    private func learnKeys(_ then: @escaping (DiscoverySession) -> Void) {
        call("GetDiscoveryFilters") { me, result in
            let reply = (try? result.get().body(expecting: "as"))?.first?.stringsValue
            me.keys = reply.map { Set($0) } ?? DiscoveryFilter.oldestKeys
            then(me)
        }
    }

    private func start(_ filter: DiscoveryFilter, attempt: Int = 0) {
        call("StartDiscovery", succeededLate: { $0.adopt(filter) }) { me, result in
            switch result {
            case .success: me.run(filter)
            case .failure(.remote(BlueZError.inProgress, _)) where attempt == 0:
                // A discovery of ours that BlueZ still holds, after a stop that failed: end it, then begin again.
                me.stop { $0.start(filter, attempt: 1) }
            case .failure(.remote(BlueZError.inProgress, _)) where attempt < Self.attempts:
                me.startLater(filter, attempt: attempt)
            case .failure(let error): me.fail(error)
            }
        }
    }

    /// The power went and came back before BlueZ read the call: its discovery runs, whether one is wanted or not. One
    /// that is being started meets it as `InProgress`.
    private func adopt(_ filter: DiscoveryFilter) {
        if case .idle = phase { run(filter) }
    }

    /// The discovery of a daemon that was killed goes on in the kernel for up to its window of 10.24 s, and the new
    /// daemon is refused until then. A monitor hears the devices meanwhile.
    private static let attempts = 26
    private static let pause = Duration.milliseconds(500)
    /// How many pauses are one beside a monitor. With each refusal bluetoothd removes devices that take no connections
    /// (`discovery_cleanup` in `src/adapter.c`); the monitor finds them again.
    private static let pausesOfMonitor = 4

    /// Starts again with the filter that BlueZ has: the filter wanted by then follows once it runs.
    private func startLater(_ filter: DiscoveryFilter, attempt: Int) {
        isDelayed = true
        monitor.begin()
        tellDelayed()
        let pauses = monitor.isRegistered ? Self.pausesOfMonitor : 1
        later(after: Self.pause * pauses) { me in
            if me.wanted != nil { return me.start(filter, attempt: attempt + pauses) }
            me.phase = .idle
            me.endDelay()
        }
    }

    private func tellDelayed() {
        for (id, client) in clients where !client.isToldOfDelay {
            clients[id]?.isToldOfDelay = true
            session.loop.runLater(client.delayed)
        }
    }

    private func endDelay() {
        isDelayed = false
        monitor.end()
    }

    /// Does something when a time has passed, unless a reset comes first; nothing else is begun meanwhile.
    private func later(after delay: Duration, _ body: @escaping @Sendable (DiscoverySession) -> Void) {
        phase = .busy
        let epoch = epoch
        let adapter = adapter
        session.after(delay) { [weak session] in
            // Looked up again: a closure that crosses threads cannot carry an object that belongs to the loop.
            guard let session, let me = session.discoveries[adapter], me.epoch == epoch else { return }
            withExtendedLifetime(session) { body(me) }
        }
    }

    private func run(_ filter: DiscoveryFilter) {
        phase = .running(filter)
        endDelay()
        tellStarted()
        reconcile()
    }

    /// Whatever the answer is, the discovery is over for this name: BlueZ drops it even when the stop fails, and "No
    /// discovery started" says just that.
    private func stop(_ then: @escaping (DiscoverySession) -> Void) {
        call("StopDiscovery") { me, result in
            if case .failure(.remote(BlueZError.inProgress, _)) = result { return me.stopInView(then) }
            me.phase = .idle
            then(me)
        }
    }

    /// Stops a discovery that runs in BlueZ's view alone: the kernel had ended the scan by itself, for a connection
    /// that is being made, so that it refused to end it. Then BlueZ (seen with 5.82 and 5.87) would not begin the next
    /// one, whose ever it is, and yet say that it has. A discovery that is begun and stopped there ends that.
    private func stopInView(_ then: @escaping (DiscoverySession) -> Void) {
        call("StartDiscovery") { me, _ in
            me.call("StopDiscovery") { me, _ in
                me.phase = .idle
                then(me)
            }
        }
    }
}
#endif
