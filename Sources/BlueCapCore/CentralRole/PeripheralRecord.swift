// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The state that a manager keeps for one peripheral; touched on the manager only.
final class PeripheralRecord {
    struct Waiter {
        let timeout: Duration?
        /// The number of the scope that calls; nil for a call by hand.
        let user: UInt64?
        var deadline: CentralManager.Deadlines.Token?
        let resume: (Result<Void, PeripheralError>) -> Void
    }

    /// A caller that waits for the end of a connection.
    struct EndWaiter {
        let deadline: CentralManager.Deadlines.Token?
        /// Takes whether the connection is down.
        let resume: (Bool) -> Void
    }

    /// The times that run for a connection; a deadline is nil while its time does not run.
    struct Times {
        /// Ends an attempt that the policy makes without a caller.
        var attemptDeadline: CentralManager.Deadlines.Token?
        /// Starts the policy's next attempt.
        var retry: CentralManager.Deadlines.Token?
        /// Reports a restored connection at the latest, while its subscriptions are made.
        var report: CentralManager.Deadlines.Token?
        /// How long there has been no connection, while one is tried for.
        var absence: Absence?
    }

    /// A time in which a connection is tried for and there is none.
    struct Absence {
        /// When it began, on the manager's clock.
        let start: Duration
        /// Ends it; nil where the policy sets no bound.
        var deadline: CentralManager.Deadlines.Token?
    }

    /// Those who want the connection, or its end.
    private struct Callers {
        var waiters: OrderedTable<UInt64, Waiter> = [:]
        var endWaiters: OrderedTable<UInt64, EndWaiter> = [:]
        var users: OrderedTable<UInt64, LinkUser> = [:]
    }

    /// The database of the current connection, with its subscriptions.
    private struct Attributes {
        var characteristics: OrderedTable<AttributeID, Characteristic> = [:] { didSet { latestRoute = nil } }
        var services: OrderedTable<AttributeID, Service> = [:]
        var descriptors: Set<AttributeID> = []
        var subscriptions: OrderedTable<AttributeID, SubscriptionRecord> = [:] { didSet { latestRoute = nil } }
        var latestRoute: ValueRoute?
    }

    /// The state that only a peripheral has that the app connects or uses.
    private final class Dealings {
        var connection = ConnectionMachine()
        var callers = Callers()
        var times = Times()
        var attributes = Attributes()
        var hasRejectedPairing = false
        var endsInOrder = false

        /// The manager was released: nothing comes any more.
        deinit {
            for waiter in callers.waiters.values { waiter.resume(.failure(.invalidated)) }
            for waiter in callers.endWaiters.values { waiter.resume(false) }
            for user in callers.users.values { user.rest?.resume() }
        }
    }

    let peripheral: Peripheral
    /// When the peripheral was last sighted, and how strongly.
    var lastSighting: (elapsed: Duration, rssi: Int?)?
    /// Made with the first change: most peripherals are sighted and no more, and this takes several times the room of
    /// all else.
    private var dealings: Dealings?

    init(_ peripheral: Peripheral) { self.peripheral = peripheral }

    private var open: Dealings {
        if let dealings { return dealings }
        let made = Dealings()
        dealings = made
        return made
    }

    // MARK: Connecting

    /// The machine of the connection, with its actual and its wanted state.
    var connection: ConnectionMachine {
        get { dealings?.connection ?? ConnectionMachine() }
        _modify { yield &open.connection }
    }
    /// Whether the connection has just ended by the wish of the app or of the peer, and its requests are being ended.
    var endsInOrder: Bool {
        get { dealings?.endsInOrder ?? false }
        set { if newValue || dealings != nil { open.endsInOrder = newValue } }
    }
    /// Those who wait for the connection, by number.
    var waiters: OrderedTable<UInt64, Waiter> {
        get { dealings?.callers.waiters ?? [:] }
        _modify { yield &open.callers.waiters }
    }
    /// Those who wait until there is none, by number.
    var endWaiters: OrderedTable<UInt64, EndWaiter> {
        get { dealings?.callers.endWaiters ?? [:] }
        _modify { yield &open.callers.endWaiters }
    }
    /// The scopes that share the link, by number.
    var users: OrderedTable<UInt64, LinkUser> {
        get { dealings?.callers.users ?? [:] }
        _modify { yield &open.callers.users }
    }
    /// Whether there is a scope that goes on.
    var hasActiveUsers: Bool { dealings?.callers.users.values.contains(where: \.isActive) ?? false }
    /// Whether a scope has had the connection that it waits for.
    func isReturn(_ user: UInt64?) -> Bool { user.flatMap { users[$0]?.hasConnected } ?? false }
    /// The policy by which the machine of the connection goes: the peripheral's, and none while scopes have theirs.
    var policy: ReconnectPolicy { hasActiveUsers ? .never : peripheral.reconnectPolicy }
    /// The times that run for the connection.
    var times: Times {
        get { dealings?.times ?? Times() }
        _modify { yield &open.times }
    }
    /// Whether the app said no since pairing was last asked for.
    var hasRejectedPairing: Bool {
        get { dealings?.hasRejectedPairing ?? false }
        _modify { yield &open.hasRejectedPairing }
    }

    var link: ConnectionMachine.LinkState { connection.link }

    /// Whether there is no connection, and none is about to be made.
    var isForgettable: Bool {
        guard let dealings else { return true }
        let connection = dealings.connection
        return connection.link == .idle && dealings.callers.waiters.isEmpty && !connection.isRetrying
            && connection.restored == nil && !hasActiveUsers
    }

    /// When the peripheral was last sighted, or met where it never was.
    var lastSeen: Duration { max(lastSighting?.elapsed ?? .zero, peripheral.discoveredElapsed) }

    // MARK: Attributes

    /// The characteristic at each attribute of the current connection's database.
    var characteristics: OrderedTable<AttributeID, Characteristic> {
        get { dealings?.attributes.characteristics ?? [:] }
        _modify { yield &open.attributes.characteristics }
    }
    var services: OrderedTable<AttributeID, Service> {
        get { dealings?.attributes.services ?? [:] }
        _modify { yield &open.attributes.services }
    }
    var descriptors: Set<AttributeID> {
        get { dealings?.attributes.descriptors ?? [] }
        _modify { yield &open.attributes.descriptors }
    }
    var subscriptions: OrderedTable<AttributeID, SubscriptionRecord> {
        get { dealings?.attributes.subscriptions ?? [:] }
        _modify { yield &open.attributes.subscriptions }
    }

    /// Where the values of an attribute go; nil for one that is not known. That of the last one is kept: values come
    /// many in a row from one characteristic.
    func route(of attribute: AttributeID) -> ValueRoute? {
        guard let dealings else { return nil }
        if let route = dealings.attributes.latestRoute, route.attribute == attribute { return route }
        guard let characteristic = dealings.attributes.characteristics[attribute] else { return nil }
        let found = ValueRoute(
            attribute: attribute, characteristic: characteristic,
            subscription: dealings.attributes.subscriptions[attribute])
        dealings.attributes.latestRoute = found
        return found
    }

    /// Forgets the database, at the end of the connection: handles stand for attributes again once they are
    /// rediscovered.
    func forgetAttributes() {
        guard dealings != nil else { return }
        for characteristic in characteristics.values { characteristic.use(nil) }
        characteristics = [:]
        services = [:]
        descriptors = []
    }
}

/// The characteristic that a value belongs to, and who listens to it.
struct ValueRoute {
    let attribute: AttributeID
    let characteristic: Characteristic
    let subscription: SubscriptionRecord?
}
