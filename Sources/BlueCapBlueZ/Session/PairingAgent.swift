// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// The one `org.bluez.Agent1` that BlueZ knows of a bus name, shared by this process's managers.
///
/// Registered while a manager wants it, and again with every daemon. It becomes the default agent, too, since only that
/// one is asked about pairings that the other side begins. A question about a device that managers of the central role
/// are linked to goes to the first of them that wants to be asked, any other to the first that serves centrals on the
/// device's adapter; where there is none it is rejected.
// Loop only, like its session, which may be released on any thread at any time: a call of the bus here finds it or does
// nothing.
final class PairingAgent {
    /// An event for the managers of the session.
    enum Event {
        case asked(PairingPrompt)
        case ended(PairingPromptID)
        /// The daemon did not take the agent; it is tried again.
        case unavailable(BackendFailure)
    }

    /// A manager of the central role: no other manager is asked about the devices that it is connected to.
    struct Central {
        /// Its identifier for a device that it has a link to, or is making one to; else nil.
        let link: (String) -> PeerIdentifier?
        let refused: (String) -> Void
    }

    private struct Client {
        let number: UInt64
        var capability: PairingCapability
        /// Whether a device may be a central that this manager serves.
        let serves: (String) -> Bool
        let handler: (Event) -> Void
    }

    /// A question of the daemon's; without a call to be answered it is only shown.
    private struct Question {
        let prompt: PairingPrompt
        let device: String
        let call: MethodCall?
        let client: Client
        /// Counts the daemon's calls that show something: the number of the last one for this question.
        var show: UInt64 = 0
    }

    /// The daemon asks one question at a time; more than this many cannot be meant.
    private static let maximumQuestions = 16
    private static let largestPasskey: UInt32 = 999_999
    /// The time-out of pairing (Core Specification, Vol 3, Part H, 3.4), from the last step on.
    private static let timeout = Duration.seconds(30)

    private weak var session: BlueZSession?
    private var clients: [Client] = []
    private var centrals: [UInt64: Central] = [:]
    private var questions: [Question] = []
    private var lastPrompt: UInt64 = 0
    private var lastShow: UInt64 = 0
    private var observer: UInt64?
    private(set) lazy var registration = AgentRegistration(
        session: session, interface: { [weak self] in self?.interface() ?? ExportedInterface(BlueZInterface.agent) },
        report: { [weak self] in self?.reportFailure($0) })

    init(session: BlueZSession) { self.session = session }

    /// Makes a manager of the central role known, whether or not it wants to be asked.
    func add(_ central: Central, _ number: UInt64) { centrals[number] = central }

    /// Whether a manager of the central role has a link to a device, or is making one.
    func hasLink(to device: String) -> Bool { centrals.values.contains { $0.link(device) != nil } }

    func forget(_ number: UInt64) {
        remove(number)
        centrals[number] = nil
    }

    /// Has `handler` asked from now on.
    func set(
        _ capability: PairingCapability, for number: UInt64, serves: @escaping (String) -> Bool,
        handler: @escaping (Event) -> Void
    ) {
        if let index = clients.firstIndex(where: { $0.number == number }) {
            clients[index].capability = capability
        } else {
            clients.append(Client(number: number, capability: capability, serves: serves, handler: handler))
        }
        if observer == nil { observer = session?.observe { [weak self] in self?.apply($0) } }
        register()
    }

    /// Asks a manager no more; its open questions are rejected.
    func remove(_ number: UInt64) {
        guard clients.contains(where: { $0.number == number }) else { return }
        clients.removeAll { $0.number == number }
        let open = questions.filter { $0.client.number == number }
        questions.removeAll { $0.client.number == number }
        for question in open where question.call != nil { reject(question) }
        if clients.isEmpty, let observer {
            session?.removeObserver(observer)
            self.observer = nil
        }
        register()
    }

    // MARK: Registering

    /// The daemon is gone, and its questions with it.
    func reset() {
        registration.reset()
        endQuestions()
    }

    /// Changes the daemon's agent to the wanted one; also called when a new daemon is there.
    func register() {
        let wanted = clients.first?.capability
        // The daemon cancels the questions to an agent that goes: so they are answered before that.
        if let known = capability, known != wanted, !questions.isEmpty { return }
        registration.become(wanted)
    }

    /// The capability of this process as it was sent to the daemon; nil without an agent.
    var capability: PairingCapability? { registration.capability }

    /// Whether the app has yet to answer a question about a device, or shows something for it.
    func isAsking(about device: String) -> Bool { questions.contains { $0.device == device } }

    private func reportFailure(_ error: DBusError) {
        let failure = BlueZFailure.failure(error)
        for client in clients { client.handler(.unavailable(failure)) }
    }

    // MARK: Answers

    /// Passes an answer on; one to a question that is over is ignored.
    func answer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        guard let index = questions.firstIndex(where: { $0.prompt.id == id }), let call = questions[index].call else {
            return
        }
        let question = questions.remove(at: index)
        defer { settled() }
        switch (question.prompt.kind, answer) {
        case (.enterPasskey, .passkey(let passkey)) where passkey <= Self.largestPasskey:
            call.reply(.uint32(passkey))
        case (.confirm, .accept), (.authorize, .accept), (.authorizeService, .accept): call.reply()
        default: reject(question)
        }
    }

    private func reject(_ question: Question) {
        question.call?.fail(BlueZError.rejected, "Rejected")
        refused(question.prompt.kind, question.device)
    }

    /// Registers a change of the agent that had to wait for the last question.
    private func settled() { if questions.isEmpty { register() } }

    private func refused(_ kind: PairingRequest.Kind, _ device: String) {
        // A device that is paired already keeps its link.
        if case .authorizeService = kind { return }
        for central in centrals.values where central.link(device) != nil { central.refused(device) }
    }

    /// A pairing of ours is over, which ends the passkey shown for it.
    func finished(_ device: String) {
        endShown(about: device)
        settled()
    }

    /// A shown passkey is over when the device is paired or gone; the daemon does not report that itself.
    private func apply(_ event: BlueZSession.Event) {
        if case .tree(.changed(let path, BlueZInterface.adapter, let set, _)) = event,
            let isPairable = set[Adapter1.pairable]
        {
            registration.changed(path, isPairable: isPairable)
        }
        guard case .tree(let change) = event, change.interface == BlueZInterface.device, !questions.isEmpty else {
            return
        }
        switch change {
        case .added: break
        case .removed(let path, _, _): endShown(about: path)
        case .changed(let path, _, let set, _):
            let isOver =
                set[Device1.connected] == false || set[Device1.paired] == true
                || set[Device1.bonded] == true
            if isOver { endShown(about: path) }
        }
        settled()
    }

    // MARK: The object

    private func interface() -> ExportedInterface {
        var agent = ExportedInterface(BlueZInterface.agent)
        agent.method("Release", onCall { $0.released($1) })
        agent.method("Cancel", onCall { $0.cancelled($1) })
        // PIN codes belong to BR/EDR before 2.1; Low Energy has none.
        agent.method("RequestPinCode", in: "o", out: "s", onCall { $1.fail(BlueZError.rejected, "no PIN codes") })
        agent.method("DisplayPinCode", in: "os", onCall { $1.fail(BlueZError.rejected, "no PIN codes") })
        agent.method("RequestPasskey", in: "o", out: "u", onCall { $0.ask(.enterPasskey, $1) })
        agent.method("DisplayPasskey", in: "ouq", onCall { $0.show($1) })
        agent.method("RequestConfirmation", in: "ou", onCall { $0.askToConfirm($1) })
        agent.method("RequestAuthorization", in: "o", onCall { $0.ask(.authorize, $1) })
        agent.method("AuthorizeService", in: "os", onCall { $0.askForService($1) })
        return agent
    }

    /// Lets only the daemon ask: the bus may let others call.
    private func onCall(_ body: @escaping (PairingAgent, MethodCall) -> Void) -> (MethodCall) -> Void {
        { [weak self] call in
            guard let self, let session, call.sender == session.owner else {
                return call.fail(ErrorName.accessDenied, "only bluetoothd may call this")
            }
            withExtendedLifetime(session) { body(self, call) }
        }
    }

    private func ask(_ kind: PairingRequest.Kind, _ call: MethodCall) {
        guard let (device, address) = subject(call) else { return call.fail(BlueZError.rejected, "no such device") }
        guard let client = addressee(device), questions.count < Self.maximumQuestions else {
            call.fail(BlueZError.rejected, "nobody answers")
            return refused(kind, device)
        }
        put(kind, device, address, to: client, call)
    }

    private func put(
        _ kind: PairingRequest.Kind, _ device: String, _ address: PeerIdentifier, to client: Client,
        _ call: MethodCall?
    ) {
        endShown(about: device)
        let prompt = makePrompt(kind, device, address, for: client)
        questions.append(Question(prompt: prompt, device: device, call: call, client: client))
        client.handler(.asked(prompt))
    }

    private func askToConfirm(_ call: MethodCall) {
        guard let passkey = call.arguments[1].uint32Value, passkey <= Self.largestPasskey else {
            return call.fail(BlueZError.rejected, "a passkey has six digits")
        }
        ask(.confirm(passkey: passkey), call)
    }

    private func askForService(_ call: MethodCall) {
        guard let uuid = call.arguments[1].stringValue.flatMap({ try? BluetoothUUID(text: $0) }) else {
            return call.fail(BlueZError.rejected, "no such service")
        }
        ask(.authorizeService(uuid), call)
    }

    /// The daemon shows the passkey again for every digit that is typed at the other side.
    private func show(_ call: MethodCall) {
        guard let passkey = call.arguments[1].uint32Value, passkey <= Self.largestPasskey,
            let (device, address) = subject(call)
        else { return call.fail(BlueZError.rejected, "a passkey has six digits") }
        let kind = PairingRequest.Kind.displayPasskey(passkey)
        guard let client = addressee(device), questions.count < Self.maximumQuestions else {
            call.fail(BlueZError.rejected, "nobody to show it to")
            // The daemon does not wait for that answer, but for the digits.
            session?.send(device, BlueZInterface.device, "CancelPairing")
            return refused(kind, device)
        }
        if !questions.contains(where: { $0.prompt.kind == kind && $0.device == device }) {
            put(kind, device, address, to: client, nil)
        }
        expire(kind, device)
        call.reply()
    }

    /// When a pairing fails while the link stays, the daemon does not report it to the agent that shows the passkey.
    /// After this time it has failed.
    private func expire(_ kind: PairingRequest.Kind, _ device: String) {
        guard let index = questions.firstIndex(where: { $0.prompt.kind == kind && $0.device == device }) else { return }
        lastShow += 1
        let show = lastShow
        questions[index].show = show
        session?.after(Self.timeout) { [weak session] in session?.pairing.expired(show) }
    }

    private func expired(_ show: UInt64) {
        guard let question = questions.first(where: { $0.show == show }) else { return }
        endShown(about: question.device)
        settled()
    }

    /// The device that a question is about.
    private func subject(_ call: MethodCall) -> (device: String, address: PeerIdentifier)? {
        guard let device = call.arguments.first?.objectPathValue else { return nil }
        let known = session?.tree[device, BlueZInterface.device].flatMap { DeviceFacts($0).identifier }
        return (known ?? BlueZPath.address(of: device)).map { (device, $0) }
    }

    /// The manager that is asked about a device.
    private func addressee(_ device: String) -> Client? {
        let linked = centrals.filter { $1.link(device) != nil }
        if linked.isEmpty { return clients.first { $0.serves(device) } }
        return clients.first { linked[$0.number] != nil }
    }

    /// A device's address may change when its identity becomes known; a manager keeps to the first.
    private func makePrompt(
        _ kind: PairingRequest.Kind, _ device: String, _ address: PeerIdentifier, for client: Client
    ) -> PairingPrompt {
        lastPrompt += 1
        let peer = centrals[client.number]?.link(device) ?? address
        return PairingPrompt(id: PairingPromptID(rawValue: lastPrompt), peer: peer, kind: kind)
    }

    /// The daemon does not wait for the answer any more; it never waits for an answer to a shown passkey.
    private func cancelled(_ call: MethodCall) {
        call.reply()
        endQuestions { $0.call != nil }
        settled()
    }

    /// The daemon releases the agent, which it does when it ends.
    private func released(_ call: MethodCall) {
        call.reply()
        registration.released()
        endQuestions()
    }

    /// The next passkey or question about a device ends the passkey shown for it.
    private func endShown(about device: String) {
        let shown = questions.filter { $0.call == nil && $0.device == device }
        questions.removeAll { $0.call == nil && $0.device == device }
        for question in shown { question.client.handler(.ended(question.prompt.id)) }
    }

    private func endQuestions(where isOver: (Question) -> Bool = { _ in true }) {
        let open = questions.filter(isOver)
        questions.removeAll(where: isOver)
        for question in open {
            question.call?.fail(BlueZError.canceled, "Canceled")
            question.client.handler(.ended(question.prompt.id))
        }
    }
}
#endif
