// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// AgentManager1: the agents that answer for pairing (`pair.trace`, `pair-explicitly.trace`); on the fake's thread
/// only.
final class FakeAgents {
    private struct Agent {
        let client: String
        let path: String
        let capability: String
    }

    private unowned let daemon: FakeDaemon
    private var agents: [Agent] = []
    private var asked: Agent?

    init(daemon: FakeDaemon) { self.daemon = daemon }

    func interface() -> ExportedInterface {
        var manager = ExportedInterface("org.bluez.AgentManager1")
        serve("RegisterAgent", "os", on: &manager) { $0.register($1) }
        serve("UnregisterAgent", "o", on: &manager) { $0.unregister($1) }
        serve("RequestDefaultAgent", "o", on: &manager) { $0.makeDefault($1) }
        return manager
    }

    private func serve(
        _ name: String, _ input: String, on interface: inout ExportedInterface,
        _ body: @escaping (FakeAgents, MethodCall) -> Void
    ) {
        interface.method(name, in: input) { [unowned self] call in
            daemon.serve(call) { [unowned self] in body(self, call) }
        }
    }

    /// The capabilities with which the clients registered their agents.
    var capabilities: [String] { agents.map(\.capability) }

    private func register(_ call: MethodCall) {
        guard let path = call.arguments[0].objectPathValue, let capability = call.arguments[1].stringValue else {
            return call.fail(FakeFailure("InvalidArguments", "Invalid arguments in method call"))
        }
        if agents.contains(where: { $0.client == call.sender }) {
            return call.fail(FakeFailure("AlreadyExists", "Already Exists"))
        }
        agents.append(Agent(client: call.sender, path: path, capability: capability))
        call.reply()
    }

    private func unregister(_ call: MethodCall) {
        guard let index = agents.firstIndex(where: { $0.client == call.sender }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        agents.remove(at: index)
        call.reply()
        if agents.isEmpty { daemon.setPairable(false) }
    }

    private func makeDefault(_ call: MethodCall) {
        guard let index = agents.firstIndex(where: { $0.client == call.sender }) else {
            return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
        }
        agents.append(agents.remove(at: index))
        call.reply()
        daemon.setPairable(true)
    }

    /// Pairs: the client's own agent, or else the default one, is asked, and without one the answer is no. Just Works
    /// that a client asked for is settled (`pair-explicitly.trace`); where both sides can, digits are compared
    /// (`pair-by-comparison.trace`).
    func authorize(
        _ device: String, of client: String?, peer: PairingCapability = .noInputNoOutput,
        _ done: @escaping (Bool) -> Void
    ) {
        guard let agent = agents.first(where: { $0.client == client }) ?? agents.last else { return done(false) }
        let isCompared = peer == .displayYesNo && ["DisplayYesNo", "KeyboardDisplay"].contains(agent.capability)
        if client != nil, !isCompared { return done(true) }
        asked = agent
        let path = DBusValue.objectPath(device)
        let (member, body) =
            isCompared ? ("RequestConfirmation", [path, .uint32(Self.passkey)]) : ("RequestAuthorization", [path])
        call(agent, member, body) { [weak self] isAnswered in
            self?.asked = nil
            done(isAnswered)
        }
    }

    /// The number that the users of both sides compare.
    static let passkey: UInt32 = 12_345

    /// Takes the question back that is open.
    func cancel() {
        guard let agent = asked else { return }
        asked = nil
        call(agent, "Cancel", []) { _ in }
    }

    private func call(
        _ agent: Agent, _ member: String, _ body: [DBusValue], _ done: @escaping (Bool) -> Void
    ) {
        guard
            let message = try? Message.methodCall(
                to: agent.client, path: agent.path, interface: "org.bluez.Agent1", member: member, body: body)
        else { return done(false) }
        daemon.link.call(message) { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }
}
#endif
