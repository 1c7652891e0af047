// SPDX-License-Identifier: MIT

/// Where the notifications of one characteristic stand on the radio, who holds them on, and the next step from where
/// they stand to where they are wanted.
///
/// A machine is a value: it knows neither the backend nor the time, nor the listeners. Each method takes what has
/// happened and returns what is to be done about it, in that order.
struct SubscriptionMachine: Sendable {
    /// Notifications are to be switched.
    struct Request: Sendable {
        let isOn: Bool
        let transport: NotificationTransport
        /// Tells the request that is under way from those before it.
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

    /// What is to be done.
    enum Action: Sendable {
        /// The request goes to the backend; its answer comes back by ``answered(_:isRefused:)``.
        case send(Request)
        /// The app can see whether the characteristic notifies.
        case publish(isNotifying: Bool)
        /// Callers are answered: with the error that has just come if `isFailed`, else with success.
        case answer(Callers, isFailed: Bool)
        /// Listeners end with the error that has just come.
        case endListeners
        /// Those listeners end that do not wait for the next connection.
        case endListenersOfConnection
        /// What was held for a listener to come is let go.
        case discardHeld
        /// There is nothing left to remember.
        case forget
    }

    /// Where notifications stand, between the manager and the backend.
    enum Phase: Sendable {
        case off
        case enabling
        case on
        case disabling
    }

    private(set) var phase = Phase.off
    /// How values travel; the choice of the first that wants them holds.
    private(set) var transport = NotificationTransport.standard
    /// The calls of ``Characteristic/startNotifying(transport:timeout:)`` that were not taken back.
    private var holds: Set<UInt64> = []
    /// The number of the request that is under way; the answer to an earlier one has no meaning any more.
    private var awaited: UInt64?

    /// How many calls hold notifications on.
    var holdCount: Int { holds.count }

    // MARK: What is wanted

    mutating func choose(_ transport: NotificationTransport) { self.transport = transport }

    mutating func hold(_ number: UInt64) { holds.insert(number) }

    /// - Returns: Whether there was such a hold.
    mutating func release(_ number: UInt64) -> Bool { holds.remove(number) != nil }

    mutating func releaseAll() { holds = [] }

    // MARK: One step

    /// The next step; each answer is followed by a call of this.
    ///
    /// - Parameters:
    ///   - hasListeners: Whether somebody listens, besides those that hold.
    ///   - isDiscovered: Whether the characteristic is known on this connection.
    ///   - number: A number that no request had before, of this subscription or of another to the same attribute.
    mutating func settle(hasListeners: Bool, isDiscovered: Bool, number: UInt64) -> [Action] {
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
    /// - Returns: Nil for the answer to an earlier request: the end of the link, or of the characteristic, has settled
    ///   all.
    mutating func answered(_ request: Request, isRefused: Bool) -> [Action]? {
        guard request.number == awaited else { return nil }
        awaited = nil
        let callers = request.isOn ? Callers.on : .off
        // A refusal to switch off leaves the radio as it was for all we know; nobody listens, so it is taken for off.
        phase = request.isOn && !isRefused ? .on : .off
        let told: [Action] = [.publish(isNotifying: phase == .on), .answer(callers, isFailed: isRefused)]
        guard isRefused, request.isOn else { return told }
        holds = []
        return told + [.discardHeld, .endListeners]
    }

    // MARK: What happens to it

    /// The platform has switched notifications off by itself.
    ///
    /// - Returns: Nil where they are not on, so that this says nothing.
    mutating func stopped() -> [Action]? {
        if phase != .on { return nil }
        phase = .off
        holds = []
        return [.discardHeld, .publish(isNotifying: false), .endListeners]
    }

    /// The peer has the characteristic no more, whatever is under way for it.
    mutating func takenAway() -> [Action] {
        end()
        return [.discardHeld, .publish(isNotifying: false), .answer(.all, isFailed: true), .endListeners]
    }

    /// The connection has ended.
    mutating func disconnected() -> [Action] {
        end()
        return [.publish(isNotifying: false), .endListenersOfConnection, .answer(.all, isFailed: true)]
    }

    private mutating func end() {
        phase = .off
        awaited = nil
        holds = []
    }

    /// No connection will come any more for what waits for the next one.
    mutating func givenUp() -> [Action] {
        holds = []
        return [.answer(.all, isFailed: true), .endListeners, .discardHeld]
    }
}

extension SubscriptionMachine: CustomStringConvertible {
    /// Where notifications stand, and how many calls hold them on.
    var description: String { holds.isEmpty ? "\(phase)" : "\(phase), held by \(holds.count)" }
}
