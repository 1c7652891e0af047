// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// A backend of the peripheral role that does nothing by itself: it records the manager's calls, and sends the events
/// of the test.
actor ScriptedPeripheralBackend: PeripheralBackend {
    /// The manager's calls to a backend.
    enum Call: Sendable, Equatable {
        case activate
        case invalidate
        case perform(PeripheralOperation)
        case respond(AccessID, Result<Bytes, ATTError>)
        case setPairingCapability(PairingCapability?)
        case answerPairing(PairingPromptID, PairingAnswer)
    }

    nonisolated let executor: any BackendExecutor
    nonisolated let features: PeripheralFeatures
    nonisolated let accessTimeLimit: Duration?
    /// The errors that the platform cannot send.
    nonisolated let unsendable = Locked<Set<ATTError>>([.insufficientResources])
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Everything that was asked, in order.
    private(set) var calls: [Call] = []
    /// The requests that were not answered.
    private(set) var outstanding: [PeripheralRequest] = []
    /// All requests about channels, in order.
    private(set) var channelRequests: [ChannelRequest] = []
    private var sink: PeripheralEventSink?
    private var channelSink: ChannelEventSink?
    private var answersAll = false
    private var lastAccess: UInt64 = 0

    init(executor: any BackendExecutor, features: PeripheralFeatures, accessTimeLimit: Duration?) {
        self.executor = executor
        self.features = features
        self.accessTimeLimit = accessTimeLimit
    }

    /// As if the platform had no manufacturer data.
    nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        advertisement.manufacturerData.isEmpty ? nil : .manufacturerData
    }

    nonisolated func isSendable(_ error: ATTError) -> Bool { !unsendable.withLock { $0.contains(error) } }

    /// As if an advertisement had room for a name of ten bytes and nothing else.
    nonisolated func excessByteCount(of advertisement: Advertisement) -> Int? {
        let excess = (advertisement.localName?.utf8.count ?? 0) - 10
        return excess > 0 ? excess : nil
    }

    func activate(clock: BlueCapClock, sink: PeripheralEventSink) {
        self.sink = sink
        calls.append(.activate)
    }

    func activateChannels(_ sink: ChannelEventSink) { channelSink = sink }

    func performOnChannels(_ request: ChannelRequest) { channelRequests.append(request) }

    func invalidate() { calls.append(.invalidate) }

    func perform(_ request: PeripheralRequest) {
        calls.append(.perform(request.operation))
        outstanding.append(request)
        guard answersAll else { return }
        later { backend in
            guard let index = backend.outstanding.firstIndex(where: { $0.id == request.id }) else { return }
            backend.outstanding.remove(at: index)
            backend.emit(.reply(request.id, .success(())))
        }
    }

    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) { calls.append(.respond(access, result)) }

    func setPairingCapability(_ capability: PairingCapability?) { calls.append(.setPairingCapability(capability)) }

    func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        calls.append(.answerPairing(prompt, answer))
    }

    // MARK: Events of the test

    func emit(_ events: PeripheralEvent...) { for event in events { sink?(event) } }

    func emitOfChannels(_ event: ChannelEvent) { channelSink?(event) }

    /// Whether every request succeeds by itself from now on.
    func answerAll(_ answersAll: Bool) { self.answersAll = answersAll }

    /// Answers the oldest unanswered request; false when there is none.
    @discardableResult
    func answerNext(_ result: Result<Void, OperationFailure> = .success(())) -> Bool {
        if outstanding.isEmpty { return false }
        let request = outstanding.removeFirst()
        emit(.reply(request.id, result))
        return true
    }

    /// Takes out the oldest unanswered request; nil if there is none.
    func takeFirst() -> PeripheralRequest? { outstanding.isEmpty ? nil : outstanding.removeFirst() }

    /// The requests that were not answered never will be.
    func forgetOutstanding() -> [PeripheralOperation] {
        defer { outstanding = [] }
        return outstanding.map(\.operation)
    }

    /// The next access of a central.
    func access(_ attribute: AttributeID, _ kind: AttributeAccess.Kind, _ central: Central?) -> AccessID {
        lastAccess += 1
        let id = AccessID(rawValue: lastAccess)
        emit(.access(AttributeAccess(id: id, attribute: attribute, central: central, kind: kind)))
        return id
    }

    // MARK: Queries of the test

    /// The operations of all requests, in order.
    var operations: [PeripheralOperation] {
        calls.compactMap { if case .perform(let operation) = $0 { operation } else { nil } }
    }

    /// The operations of the unanswered requests.
    var pending: [PeripheralOperation] { outstanding.map(\.operation) }

    /// All answers to an access, repeated ones included.
    func answers(to access: AccessID) -> [Result<Bytes, ATTError>] {
        calls.compactMap { if case .respond(access, let result) = $0 { result } else { nil } }
    }

    /// The manager's capabilities and answers for pairing, in order.
    var pairingCalls: [Call] {
        calls.filter { call in
            switch call {
            case .setPairingCapability, .answerPairing: true
            case .activate, .invalidate, .perform, .respond: false
            }
        }
    }

    /// The values that were sent, in order.
    var sentValues: [Bytes] {
        operations.compactMap { if case .update(_, let value, _) = $0 { value } else { nil } }
    }

    /// The number of times that the manager has ended the backend.
    var invalidationCount: Int { calls.count { $0 == .invalidate } }
}
