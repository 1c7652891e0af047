// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The state that a manager keeps for one peripheral; touched on the manager only.
final class PeripheralRecord {
    /// A caller of `connect`.
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

    /// A time in which a connection is tried for and there is none.
    struct Absence {
        /// When it began, on the manager's clock.
        let start: Duration
        /// Ends it; nil where the policy sets no bound.
        var deadline: CentralManager.Deadlines.Token?
    }

    /// The state that only a peripheral has that the app connects or uses.
    private final class Dealings {
        var connection = ConnectionMachine()
        var waiters: OrderedTable<UInt64, Waiter> = [:]
        var endWaiters: OrderedTable<UInt64, EndWaiter> = [:]
        var users: OrderedTable<UInt64, LinkUser> = [:]
        var attemptDeadline: CentralManager.Deadlines.Token?
        var retry: CentralManager.Deadlines.Token?
        var report: CentralManager.Deadlines.Token?
        var absence: Absence?
        var hasRejectedPairing = false
        var endsInOrder = false
        var characteristics: OrderedTable<AttributeID, Characteristic> = [:] { didSet { route = nil } }
        var services: OrderedTable<AttributeID, Service> = [:]
        var descriptors: Set<AttributeID> = []
        var subscriptions: OrderedTable<AttributeID, SubscriptionRecord> = [:] { didSet { route = nil } }
        var route: ValueRoute?

        /// The manager was released: nothing comes any more.
        deinit {
            for waiter in waiters.values { waiter.resume(.failure(.invalidated)) }
            for waiter in endWaiters.values { waiter.resume(false) }
            for user in users.values { user.rest?.resume() }
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
        get { dealings?.waiters ?? [:] }
        _modify { yield &open.waiters }
    }
    /// Those who wait until there is none, by number.
    var endWaiters: OrderedTable<UInt64, EndWaiter> {
        get { dealings?.endWaiters ?? [:] }
        _modify { yield &open.endWaiters }
    }
    /// The scopes that share the link, by number.
    var users: OrderedTable<UInt64, LinkUser> {
        get { dealings?.users ?? [:] }
        _modify { yield &open.users }
    }
    /// Whether there is a scope that goes on.
    var hasActiveUsers: Bool { dealings?.users.values.contains(where: \.isActive) ?? false }
    /// Whether a scope has had the connection that it waits for.
    func isReturn(_ user: UInt64?) -> Bool { user.flatMap { users[$0]?.hasConnected } ?? false }
    /// The policy by which the machine of the connection goes: the peripheral's, and none while scopes have theirs.
    var policy: ReconnectPolicy { hasActiveUsers ? .never : peripheral.reconnectPolicy }
    /// Ends an attempt that the policy makes without a caller.
    var attemptDeadline: CentralManager.Deadlines.Token? {
        get { dealings?.attemptDeadline }
        _modify { yield &open.attemptDeadline }
    }
    /// Starts the policy's next attempt.
    var retry: CentralManager.Deadlines.Token? {
        get { dealings?.retry }
        _modify { yield &open.retry }
    }
    /// Reports a restored connection at the latest, while its subscriptions are made.
    var report: CentralManager.Deadlines.Token? {
        get { dealings?.report }
        _modify { yield &open.report }
    }
    /// How long there has been no connection, while one is tried for.
    var absence: Absence? {
        get { dealings?.absence }
        _modify { yield &open.absence }
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
        return connection.link == .idle && dealings.waiters.isEmpty && !connection.isRetrying
            && connection.restored == nil && !hasActiveUsers
    }

    /// When the peripheral was last sighted, or met where it never was.
    var lastSeen: Duration { max(lastSighting?.elapsed ?? .zero, peripheral.discoveredElapsed) }

    // MARK: Attributes

    /// The characteristic at each attribute of the current connection's database.
    var characteristics: OrderedTable<AttributeID, Characteristic> {
        get { dealings?.characteristics ?? [:] }
        _modify { yield &open.characteristics }
    }
    var services: OrderedTable<AttributeID, Service> {
        get { dealings?.services ?? [:] }
        _modify { yield &open.services }
    }
    var descriptors: Set<AttributeID> {
        get { dealings?.descriptors ?? [] }
        _modify { yield &open.descriptors }
    }
    var subscriptions: OrderedTable<AttributeID, SubscriptionRecord> {
        get { dealings?.subscriptions ?? [:] }
        _modify { yield &open.subscriptions }
    }

    /// Where the values of an attribute go; nil for one that is not known. That of the last one is kept: values come
    /// many in a row from one characteristic.
    func route(of attribute: AttributeID) -> ValueRoute? {
        guard let dealings else { return nil }
        if let route = dealings.route, route.attribute == attribute { return route }
        guard let characteristic = dealings.characteristics[attribute] else { return nil }
        let found = ValueRoute(
            attribute: attribute, characteristic: characteristic, subscription: dealings.subscriptions[attribute])
        dealings.route = found
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
