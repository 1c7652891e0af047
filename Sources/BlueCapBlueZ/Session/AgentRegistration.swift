// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapLoop

/// The daemon's knowledge of this process's agent: registered as the default one while it is wanted, and again when
/// that fails or the daemon releases it.
// Loop only, like the agent.
final class AgentRegistration {
    static let path = "/org/bluecap/agent"

    private weak var session: BlueZSession?
    /// Makes the object that the daemon calls.
    private let interface: () -> ExportedInterface
    /// Called when the daemon did not take the agent.
    private let report: (DBusError) -> Void
    /// The capability that was sent to the daemon, whether or not it has answered; nil without an agent.
    private(set) var capability: PairingCapability?
    /// Counts the attempts to register: the answer to an earlier one does not concern this one.
    private var attempt: UInt64 = 0
    private var failures = 0
    /// The wait for the daemon to keep the keys of a pairing.
    private let settling = BondableWait()

    init(session: BlueZSession?, interface: @escaping () -> ExportedInterface, report: @escaping (DBusError) -> Void) {
        (self.session, self.interface, self.report) = (session, interface, report)
    }

    /// Changes the daemon's agent to the wanted one: an agent of a capability, or none.
    func become(_ wanted: PairingCapability?) {
        guard let session, let link = session.link, session.owner != nil, wanted != capability else { return }
        attempt += 1
        if capability != nil {
            capability = nil
            settling.unregistered()
            unregister()
        }
        guard let wanted else {
            settling.end()
            return link.unexport(at: Self.path)
        }
        let attempt = attempt
        do throws(DBusError) {
            if !link.isExported(Self.path) { try link.export([interface()], at: Self.path) }
        } catch {
            // Not at once: a manager's command may have led here.
            return session.loop.runLater { [weak self] in self?.failed(error, attempt) }
        }
        capability = wanted
        settling.begin()
        // The limit of the calls that wait already belonged to the attempt before.
        if settling.isAwaited { limitSettling() }
        // Calls of one name are done in their order: a pairing after this finds the agent.
        call("RegisterAgent", [.objectPath(Self.path), .string(wanted.blueZName)]) { [weak self] result in
            if case .failure(let error) = result { self?.failed(error, attempt) }
        }
        call("RequestDefaultAgent", [.objectPath(Self.path)]) { [weak self] result in
            guard let self, attempt == self.attempt else { return }
            guard case .failure(let error) = result else { return failures = 0 }
            // An agent that is not the default one is not asked about pairings that the other side begins.
            unregister()
            failed(error, attempt)
        }
    }

    /// The daemon is gone.
    func reset() {
        capability = nil
        attempt += 1
        failures = 0
        settling.end()
    }

    /// The daemon has released the agent; a daemon that goes on is asked again later.
    func released() {
        capability = nil
        attempt += 1
        settling.end()
        retry(attempt, after: .seconds(1))
    }

    // MARK: Attempts

    private func call(_ member: String, _ body: [DBusValue], reply: @escaping (Result<Message, DBusError>) -> Void) {
        guard let session else { return }
        let generation = session.generation
        session.call(BlueZPath.root, BlueZInterface.agentManager, member, body) { [weak session] result in
            if session?.isAnswer(result, in: generation) == true { reply(result) }
        }
    }

    private func unregister() { call("UnregisterAgent", [.objectPath(Self.path)]) { _ in } }

    /// Not registered: reports it and tries again, later each time, 1 s doubled up to a minute.
    private func failed(_ error: DBusError, _ attempt: UInt64) {
        guard attempt == self.attempt else { return }
        self.attempt += 1
        let next = self.attempt
        // The daemon may hold an agent of this name that is not of this session: unregistering it makes room for the
        // next attempt.
        if case .remote(BlueZError.alreadyExists, _) = error { unregister() }
        capability = nil
        settling.end()
        report(error)
        let delay = Duration.seconds(1 << min(failures, 6))
        failures += 1
        retry(next, after: min(delay, .seconds(60)))
    }

    /// Registers the wanted agent in a while, unless there was another attempt by then.
    private func retry(_ attempt: UInt64, after delay: Duration) {
        session?.after(delay) { [weak session] in
            guard let pairing = session?.pairing, pairing.registration.attempt == attempt else { return }
            pairing.register()
        }
    }

    // MARK: Keys

    /// Whether pairing on this adapter may lose its keys, as the agent was registered just now.
    func isSettling(on adapter: String) -> Bool {
        settling.isUnderWay(
            on: adapter, isPairable: session?.tree[adapter, BlueZInterface.adapter]?[Adapter1.pairable])
    }

    /// Calls `body` once that is over, or has taken too long.
    func whenSettled(on adapter: String, _ body: @escaping () -> Void) {
        settling.add(adapter, body)
        limitSettling()
    }

    private func limitSettling() {
        let attempt = attempt
        session?.after(BondableWait.limit) { [weak session] in
            guard let registration = session?.pairing.registration, registration.attempt == attempt else { return }
            registration.settling.end()
        }
    }

    func changed(_ adapter: String, isPairable: Bool) { settling.changed(adapter, isPairable: isPairable) }
}

extension PairingCapability {
    /// The name in `RegisterAgent`.
    fileprivate var blueZName: String {
        switch self {
        case .displayOnly: "DisplayOnly"
        case .displayYesNo: "DisplayYesNo"
        case .keyboardOnly: "KeyboardOnly"
        case .keyboardDisplay: "KeyboardDisplay"
        case .noInputNoOutput: "NoInputNoOutput"
        }
    }
}
#endif
