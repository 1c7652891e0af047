// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A backend that does nothing by itself: it records the manager's calls, and sends the events of the test.
actor ScriptedCentralBackend: CentralBackend {
    /// The manager's calls to a backend.
    enum Call: Sendable, Hashable {
        case activate
        case invalidate
        case scan(ScanRequest?)
        case connect(PeerIdentifier)
        case disconnect(PeerIdentifier)
        case perform(CentralOperation)
        case setPairingCapability(PairingCapability?)
        case answerPairing(PairingPromptID, PairingAnswer)
    }

    nonisolated let executor: any BackendExecutor
    nonisolated let features: CentralFeatures
    nonisolated let restoresState: Bool
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Everything that was asked, in order.
    private(set) var calls: [Call] = []
    /// The requests that were not answered.
    private(set) var outstanding: [CentralRequest] = []
    private var channel: (any WriteChannel)?
    private var sink: CentralEventSink?
    private var responder: (@Sendable (Call) -> CentralEvent?)?
    private var waiters:
        [(isMet: (isolated ScriptedCentralBackend) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

    init(executor: any BackendExecutor, features: CentralFeatures = [], restoresState: Bool = false) {
        self.restoresState = restoresState
        self.executor = executor
        self.features = features
    }

    func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.sink = sink
        note(.activate)
    }

    func invalidate() { note(.invalidate) }

    func scan(_ request: ScanRequest?) { note(.scan(request)) }

    func connect(_ peripheral: PeerIdentifier) { note(.connect(peripheral)) }

    func disconnect(_ peripheral: PeerIdentifier) { note(.disconnect(peripheral)) }

    func setPairingCapability(_ capability: PairingCapability?) { note(.setPairingCapability(capability)) }

    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) { note(.answerPairing(prompt, answer)) }

    func perform(_ request: CentralRequest) {
        outstanding.append(request)
        note(.perform(request.operation))
    }

    func writeChannel(to characteristic: AttributeID, of peripheral: PeerIdentifier) -> (any WriteChannel)? {
        channel
    }

    // MARK: Events of the test

    /// From now on there is a channel to every characteristic.
    func open(_ channel: any WriteChannel) { self.channel = channel }

    /// Sends events to the manager, as the radio would.
    func emit(_ events: CentralEvent...) { for event in events { sink?(event) } }

    /// Answers each call from now on with the event that `responder` returns, right after the call.
    func respond(_ responder: @escaping @Sendable (Call) -> CentralEvent?) { self.responder = responder }

    /// Waits until there is an unanswered request for an operation, and takes it out without an answer.
    func take(_ operation: CentralOperation) async -> RequestID {
        await wait { $0.outstanding.contains { $0.operation == operation } }
        guard let index = outstanding.firstIndex(where: { $0.operation == operation }) else {
            return await take(operation)
        }
        return outstanding.remove(at: index).id
    }

    /// Takes out the oldest unanswered request; nil if there is none.
    func takeFirst() -> CentralRequest? { outstanding.isEmpty ? nil : outstanding.removeFirst() }

    /// Waits until there is an unanswered request for an operation, and answers it.
    func answer(_ operation: CentralOperation, _ result: Result<CentralReply, OperationFailure>) async {
        let id = await take(operation)
        emit(.reply(id, result))
    }

    func answer(_ operation: CentralOperation, _ reply: CentralReply) async { await answer(operation, .success(reply)) }

    // MARK: Queries of the test

    /// The number of times that the manager has made a call.
    func count(_ call: Call) -> Int { calls.count { $0 == call } }

    /// The operations of the unanswered requests.
    var pending: [CentralOperation] { outstanding.map(\.operation) }

    /// The calls about links, in order.
    var linkCalls: [Call] {
        calls.filter { if case .connect = $0 { true } else if case .disconnect = $0 { true } else { false } }
    }

    /// The pairing capabilities that the manager set, in order.
    var pairingCapabilities: [PairingCapability?] {
        calls.compactMap { if case .setPairingCapability(let capability) = $0 { .some(capability) } else { nil } }
    }

    /// All answers to a question, repeated ones included.
    func pairingAnswers(to prompt: PairingPromptID) -> [PairingAnswer] {
        calls.compactMap { if case .answerPairing(prompt, let answer) = $0 { answer } else { nil } }
    }

    /// The scan requests, in order.
    var scans: [ScanRequest?] {
        calls.compactMap { if case .scan(let request) = $0 { request } else { nil } as ScanRequest?? }
    }

    /// Waits until the manager has made a call, `count` times in all.
    func wait(for call: Call, count: Int = 1) async { await wait { $0.count(call) >= count } }

    private func wait(until isMet: @escaping (isolated ScriptedCentralBackend) -> Bool) async {
        if isMet(self) { return }
        await withCheckedContinuation { waiters.append((isMet, $0)) }
    }

    private func note(_ call: Call) {
        calls.append(call)
        if let event = responder?(call) {
            later { $0.emit(event) }
        }
        let met = waiters.filter { $0.isMet(self) }
        waiters.removeAll { $0.isMet(self) }
        for waiter in met { waiter.continuation.resume() }
    }
}
