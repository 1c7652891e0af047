// SPDX-License-Identifier: MIT

/// The state machine of the notifications of one characteristic: their state on the radio, the calls that hold them on,
/// and the next step to the wanted state.
///
/// A machine is a value that knows neither the backend, nor the time, nor the listeners. Each method takes an event and
/// returns the actions for it, in their order.
struct SubscriptionMachine: Sendable {
    /// A request to switch notifications on or off.
    struct Request: Sendable {
        let isOn: Bool
        let transport: NotificationTransport
        /// Distinguishes the current request from earlier requests.
        fileprivate let number: UInt64
    }

    /// The callers that wait until notifications are on, or off.
    enum Callers: Sendable {
        case all
        case on
        case off

        func contains(thatWantsOn wantsOn: Bool) -> Bool {
            switch self {
            case .all: true
            case .on: wantsOn
            case .off: !wantsOn
            }
        }
    }

    /// An action for the manager to carry out.
    enum Action: Sendable {
        /// The request goes to the backend; its answer comes back by ``answered(_:isRefused:)``.
        case send(Request)
        /// The app sees the new value of ``Characteristic/isNotifying``.
        case publish(isNotifying: Bool)
        /// Callers are answered: with the error that has just come if `isFailed`, else with success.
        case answer(Callers, isFailed: Bool)
        /// Listeners end with the error that has just come.
        case endListeners
        /// The listeners end that do not wait for the next connection.
        case endListenersOfConnection
        /// The values that were held for a future listener are discarded.
        case discardHeld
        /// The record of the subscription is removed, because it holds no more information.
        case forget
    }

    /// The state of notifications between the manager and the backend.
    enum Phase: Sendable {
        case off
        case enabling
        case on
        case disabling
    }

    private(set) var phase = Phase.off
    /// The transport of values; the first listener's choice is used.
    private(set) var transport = NotificationTransport.standard
    /// The calls of ``Characteristic/startNotifying(transport:timeout:)`` that were not undone.
    private var holds: Set<UInt64> = []
    /// The number of the current request; an answer to an earlier request is ignored.
    private var awaited: UInt64?

    /// The number of calls that hold notifications on.
    var holdCount: Int { holds.count }

    // MARK: The wanted state

    mutating func choose(_ transport: NotificationTransport) { self.transport = transport }

    mutating func hold(_ number: UInt64) { holds.insert(number) }

    /// - Returns: True if there was such a hold.
    mutating func release(_ number: UInt64) -> Bool { holds.remove(number) != nil }

    mutating func releaseAll() { holds = [] }

    // MARK: One step

    /// Takes the next step; this method is called after each answer.
    ///
    /// - Parameters:
    ///   - hasListeners: A Boolean value that is true if there are listeners besides the holds.
    ///   - isDiscovered: A Boolean value that is true if the characteristic is known on this connection.
    ///   - number: A number that no earlier request had, of this subscription or of another to the same attribute.
    mutating func reconcile(hasListeners: Bool, isDiscovered: Bool, number: UInt64) -> [Action] {
        switch (phase, hasListeners || !holds.isEmpty) {
        case (.off, true) where isDiscovered: [send(true, number)]
        case (.on, false): [send(false, number)]
        case (.off, false): [.answer(.all, isFailed: false), .forget]
        case (.on, true): [.answer(.all, isFailed: false)]
        case (.enabling, _), (.disabling, _), (.off, true): []
        }
    }

    private mutating func send(_ isOn: Bool, _ number: UInt64) -> Action {
        phase = isOn ? .enabling : .disabling
        awaited = number
        return .send(Request(isOn: isOn, transport: transport, number: number))
    }

    /// The backend has answered a request.
    ///
    /// - Returns: The actions; nil for the answer to an earlier request, which the end of the link, or of the
    ///   characteristic, has settled.
    mutating func answered(_ request: Request, isRefused: Bool) -> [Action]? {
        guard request.number == awaited else { return nil }
        awaited = nil
        let callers = request.isOn ? Callers.on : .off
        // After a refusal to switch off, notifications are probably still on. There is no listener, so the state is set
        // to off.
        phase = request.isOn && !isRefused ? .on : .off
        let told: [Action] = [.publish(isNotifying: phase == .on), .answer(callers, isFailed: isRefused)]
        guard isRefused, request.isOn else { return told }
        holds = []
        return told + [.discardHeld, .endListeners]
    }

    // MARK: Ends

    /// The platform has switched notifications off by itself.
    ///
    /// - Returns: The actions; nil if notifications are not on, because the event then has no effect.
    mutating func stopped() -> [Action]? {
        if phase != .on { return nil }
        phase = .off
        holds = []
        return [.discardHeld, .publish(isNotifying: false), .endListeners]
    }

    /// The peer has removed the characteristic, which ends all requests for it.
    mutating func takenAway() -> [Action] {
        end()
        return [.discardHeld, .publish(isNotifying: false), .answer(.all, isFailed: true), .endListeners]
    }

    mutating func disconnected() -> [Action] {
        end()
        return [.publish(isNotifying: false), .endListenersOfConnection, .answer(.all, isFailed: true)]
    }

    private mutating func end() {
        phase = .off
        awaited = nil
        holds = []
    }

    /// There will be no further connection for the listeners and callers that wait for it.
    mutating func givenUp() -> [Action] {
        holds = []
        return [.answer(.all, isFailed: true), .endListeners, .discardHeld]
    }
}

extension SubscriptionMachine: CustomStringConvertible {
    /// The state of notifications, and the number of calls that hold them on.
    var description: String { holds.isEmpty ? "\(phase)" : "\(phase), held by \(holds.count)" }
}
