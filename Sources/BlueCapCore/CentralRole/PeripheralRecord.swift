// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// What a manager keeps of one peripheral; touched on the manager only.
final class PeripheralRecord {
    /// A caller of `connect`.
    struct Waiter {
        let timeout: Duration?
        var deadline: CentralManager.Deadlines.Token?
        let resume: (Result<Void, PeripheralError>) -> Void
    }

    let peripheral: Peripheral
    /// Where the connection stands, and what is wanted of it.
    var connection = ConnectionMachine()
    /// Those who wait for the connection, by number.
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// Those who wait until there is none, by number.
    var endWaiters: OrderedTable<UInt64, CheckedContinuation<Void, Never>> = [:]

    /// Ends an attempt that the policy makes without a caller.
    var attemptDeadline: CentralManager.Deadlines.Token?
    /// Starts the policy's next attempt.
    var retry: CentralManager.Deadlines.Token?
    /// Reports a restored connection at the latest, while its subscriptions are made.
    var report: CentralManager.Deadlines.Token?

    /// Whether the app said no since pairing was last asked for.
    var hasRejectedPairing = false

    /// When the peripheral was last sighted, and how strongly.
    var lastSighting: (elapsed: Duration, rssi: Int?)?

    /// What stands at each attribute of the current connection's database.
    var characteristics: OrderedTable<AttributeID, Characteristic> = [:] { didSet { route = nil } }
    var services: OrderedTable<AttributeID, Service> = [:]
    var descriptors: Set<AttributeID> = []
    var subscriptions: OrderedTable<AttributeID, SubscriptionRecord> = [:] { didSet { route = nil } }
    /// Where the last value went: values come many in a row from one characteristic.
    private var route: ValueRoute?

    init(_ peripheral: Peripheral) { self.peripheral = peripheral }

    /// The manager was released: nothing comes any more.
    deinit {
        for waiter in waiters.values { waiter.resume(.failure(.invalidated)) }
        for waiter in endWaiters.values { waiter.resume() }
    }

    var link: ConnectionMachine.LinkState { connection.link }

    /// Whether there is no connection, and none is about to be made.
    var isForgettable: Bool {
        link == .idle && waiters.isEmpty && !connection.isRetrying && connection.restored == nil
    }

    /// When the peripheral was last sighted, or met where it never was.
    var lastSeen: Duration { max(lastSighting?.elapsed ?? .zero, peripheral.discoveredElapsed) }

    /// Where the values of an attribute go; nil for one that is not known.
    func route(of attribute: AttributeID) -> ValueRoute? {
        if let route, route.attribute == attribute { return route }
        guard let characteristic = characteristics[attribute] else { return nil }
        let found = ValueRoute(
            attribute: attribute, characteristic: characteristic, subscription: subscriptions[attribute])
        route = found
        return found
    }

    /// Forgets the database, at the end of the connection: handles stand for attributes again once they are rediscovered.
    func forgetAttributes() {
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
