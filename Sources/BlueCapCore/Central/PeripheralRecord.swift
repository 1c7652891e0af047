// SPDX-License-Identifier: MIT

/// What a manager keeps of one peripheral; touched on the manager only.
final class PeripheralRecord {
    /// Where the connection stands, between the manager and the backend.
    enum Link {
        /// There is none, and the backend was not asked for one.
        case idle
        /// The backend was asked to connect.
        case connecting
        /// The backend was asked to take back the attempt and has not confirmed.
        case aborting
        /// It stands.
        case connected
        /// The backend was asked to disconnect and has not confirmed.
        case disconnecting
    }

    /// Where a connection stood that is to be restored.
    enum RestoredLink {
        /// It stood.
        case stood
        /// It was being made.
        case attempted
        /// It stood, and the app has said since that it is to end.
        case unwanted
    }

    /// A caller of `connect`.
    struct Waiter {
        let timeout: Duration?
        var deadline: CentralManager.Deadlines.Token?
        let resume: (Result<Void, PeripheralError>) -> Void
    }

    let peripheral: Peripheral
    var link = Link.idle
    /// Counts the beginnings and ends of connections; requests of one never meet replies of another.
    var generation: UInt64 = 0
    /// Those who wait for the connection, by number.
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// How many connections and attempts were ended by the manager.
    var endCount: UInt64 = 0
    /// Those who wait until there is none, by number.
    var endWaiters: OrderedTable<UInt64, CheckedContinuation<Void, Never>> = [:]

    /// The timeout of each attempt, as the last `connect` gave it.
    var attemptTimeout: Duration?
    /// Ends an attempt that the policy makes without a caller.
    var attemptDeadline: CentralManager.Deadlines.Token?
    /// Whether the attempt waits for the peripheral, which was not heard since it began.
    var isPeripheralAwaited = false
    /// Starts the policy's next attempt.
    var retry: CentralManager.Deadlines.Token?
    /// Attempts in a row that failed.
    var failedAttempts = 0
    /// Connections lost since the program last called `connect`.
    var losses = 0
    /// Whether the policy is making a lost connection anew, for the program and not for single callers.
    var isRestoring = false
    /// Whether the policy makes another attempt once the backend has confirmed the end of this one.
    var retriesWhenEnded = false
    /// Why the manager itself ends the connection, where it was not the program's wish.
    var endReason: PeripheralError?
    /// Whether the program wants the link that is being ended to stay down.
    var isForcedToEnd = false
    /// Whether the policy wants a connection as soon as the radio is back.
    var reconnectsWhenPoweredOn = false

    /// What the program before this one had, until its connection stands again or is given up.
    var restoredLink: RestoredLink?
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

    /// Whether there is no connection, and nobody about to make one.
    var isForgettable: Bool { link == .idle && waiters.isEmpty && !isRetrying && restoredLink == nil }

    /// Whether the policy is about to connect again.
    var isRetrying: Bool { retry != nil || retriesWhenEnded || reconnectsWhenPoweredOn }

    /// Whether the policy waits for a peripheral that is away, which is no attempt that could fail or time out.
    var isWaitingForReturn: Bool { isRestoring && link == .connecting && isPeripheralAwaited }

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
