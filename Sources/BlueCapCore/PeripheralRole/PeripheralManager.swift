// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe
public import Logging

/// The peripheral role: offers services to centrals and advertises them.
///
/// ```swift
/// let level = TypedMutableCharacteristic<BatteryService.Level>()
/// let service = MutableService(BatteryService.self, characteristics: [level.characteristic])
///
/// let manager = PeripheralManager()                   // the platform's radio; init(backend:) for another
/// try await manager.whenPoweredOn(timeout: .seconds(5))
/// try await manager.add(service, timeout: .seconds(5))
/// try await manager.startAdvertising("Strap", serviceUUIDs: [service.uuid], timeout: .seconds(5))
/// ```
///
/// A manager is an actor on its backend's executor, so the events of centrals are applied in order, without a task or
/// a hop for each event. States, subscriptions and requests are `AsyncStream`s, each call an independent one.
///
/// A manager keeps the services that are added to it; services and characteristics do not keep the manager. Hold on to
/// the manager for as long as they are offered: when it is released its services and advertisements are removed, and
/// the streams of its characteristics end.
///
/// Services and advertisements stay wanted when the radio goes off or the system's Bluetooth service restarts: as soon
/// as the radio is on again, the manager adds and advertises them again, in the order of the calls, with their latest
/// content. Values and waiting updates are kept; subscriptions are not, since their centrals are gone.
public actor PeripheralManager {
    /// The settings of a manager, chosen when it is made.
    public struct Configuration: Sendable {
        /// Where all time comes from; nil, as by default, for the backend's own clock: that of the radio on a virtual
        /// one, else the continuous clock.
        public var clock: BlueCapClock?
        /// The logger of the manager.
        ///
        /// It gets usual events as `debug`, and events that the app should look at as `warning`. Values of attributes
        /// are not logged.
        public var logger: Logger
        /// How much ``logger`` takes. By default swift-log says, which lets `warning` through and `debug` not; its own
        /// level `error` reads as `.off` here.
        public var logLevel: LogLevel {
            get { LogLevel(logger.logLevel) }
            set { logger.logLevel = newValue.level }
        }
        /// Whether addresses and names appear in the log; not by default.
        public var logPrivacy: LogPrivacy
        /// How many updates of one characteristic wait at most while a central is subscribed and the transport is busy;
        /// the oldest are dropped and counted. See ``MutableCharacteristic/updatePolicy`` for those that wait for a
        /// subscriber.
        public var maximumPendingUpdates: Int
        /// How many requests of centrals may wait for the app's answer at once; further ones are refused with
        /// `.insufficientResources`. Write commands, which need no answer, do not count.
        public var maximumOpenRequests: Int
        /// How many centrals may be connected at once; nil, as by default, for as many as the radio takes.
        ///
        /// The link of each further one is ended at once, with the reason "low resources" (0x14) where the platform can
        /// send one; it is reported as ``CentralLinkEvent/Kind/refused``, counted and logged, and nothing of it reaches
        /// the app. The limit is that of the whole adapter, whatever a central connects for. BlueZ does not say who
        /// made a link: there the limit can concern any device that connects while the manager runs, but for keyboards
        /// and other input devices; and BlueZ does not connect by itself to a device whose link was ended so. On
        /// CoreBluetooth, which does not end links, the limit has no effect, and the log warns of it.
        public var maximumCentrals: Int?
        /// The time that the app may take to answer a request, which is then answered with `.unlikelyError`.
        ///
        /// By default it is 80 % of the platform's limit, or 25 seconds where the platform sets none: a central gives
        /// up after 30 (Core Specification, Vol 3, Part F, 3.3.3).
        public var requestTimeLimit: Duration?
        /// A Boolean value that is true if pairing without any proof of the other side's identity (Just Works) is
        /// accepted without asking; false by default.
        ///
        /// The manager then answers for pairing from the beginning, as a device that can neither show nor take a
        /// passkey. On BlueZ that goes for whatever device begins to pair with the adapter, a central of this app's or
        /// not: this process is then the machine's default pairing agent, and rejects requests that no listener in it
        /// answers.
        public var acceptsJustWorks: Bool

        /// The name by which later programs recognise this manager; nil, as by default, for none.
        ///
        /// With a name the manager keeps a journal, and restores the services and advertisements of the last program;
        /// see <doc:Restoration>. It has at most 100 bytes, and each manager of a role needs one of its own.
        public var restoreIdentifier: String?
        /// Where the journal is kept; nil for where the backend keeps journals: files in the folder of the environment,
        /// see ``FileRestorationStore``.
        public var restorationStore: (any RestorationStore)?

        /// Creates a configuration; the defaults suit an app.
        ///
        /// - Parameters:
        ///   - clock: The clock of all timeouts; nil for the backend's own.
        ///   - logger: The destination of the manager's log.
        ///   - maximumPendingUpdates: How many updates of one characteristic may wait for the transport; at least 1 is
        ///     used.
        ///   - requestTimeLimit: How long the app may take to answer a request; nil for 80 % of the platform's limit,
        ///     or 25 seconds.
        ///   - acceptsJustWorks: Whether the manager pairs without asking where neither side can be authenticated.
        ///   - maximumOpenRequests: How many requests may wait for the app's answer; at least 1 is used.
        ///   - maximumCentrals: How many centrals may be connected at once; at least 1 is used, and nil is no limit.
        ///   - logPrivacy: Whether addresses and names appear in the log.
        ///   - restoreIdentifier: The name of the manager's journal, 1 through 100 bytes in UTF-8; nil to keep none.
        ///   - restorationStore: Where the journal is kept; nil for the backend's own place.
        public init(
            clock: BlueCapClock? = nil, logger: Logger = Logger(label: "bluecap.peripheral"),
            maximumPendingUpdates: Int = 1024, requestTimeLimit: Duration? = nil, acceptsJustWorks: Bool = false,
            maximumOpenRequests: Int = 1024, maximumCentrals: Int? = nil, logPrivacy: LogPrivacy = .redacted,
            restoreIdentifier: String? = nil, restorationStore: (any RestorationStore)? = nil
        ) {
            self.clock = clock
            self.logger = logger
            self.maximumPendingUpdates = maximumPendingUpdates
            self.requestTimeLimit = requestTimeLimit
            self.acceptsJustWorks = acceptsJustWorks
            self.maximumOpenRequests = maximumOpenRequests
            self.maximumCentrals = maximumCentrals
            self.logPrivacy = logPrivacy
            self.restoreIdentifier = restoreIdentifier
            self.restorationStore = restorationStore
        }
    }

    /// The surroundings of a manager, which never change.
    private struct Environment: Sendable {
        let backend: any PeripheralBackend
        let executor: any BackendExecutor
        let clock: BlueCapClock
        let logger: RadioLog
        let maximumPendingUpdates: Int
        let meter = RadioMeter(role: .peripheral)
    }

    /// How far the program's end of the manager has come.
    private enum Stage {
        case running
        /// Calls are refused, and services and advertisements are being removed.
        case ending
        /// Nothing is expected of the backend any more.
        case closed(unremoved: [RegistrationFailure.Subject])
    }

    private nonisolated let environment: Environment
    private nonisolated let published = PublishedPeripheralState()
    private var stage = Stage.running

    nonisolated let radio = RadioState<PeripheralManager>()
    nonisolated let pairing: PairingDesk<PeripheralManager>
    let requests = RequestLine<PeripheralManager>()
    let journal: JournalKeeper<PeripheralManager>
    let server: AttributeServer
    let updates: Updates
    let registrations: Registrations
    let links: CentralLinks

    // SAFETY: the environment is a `let` of this actor and holds `executor`, so it lives at least as long as the
    // unowned reference is used.
    /// The backend's executor, which this actor shares.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Creates a manager over a backend.
    ///
    /// The backend belongs to this manager for as long as the backend lives. A manager over a backend of another
    /// manager is `.unsupported`: its calls throw `.backend` with the name `BlueCap.BackendInUse`, and the other
    /// manager goes on.
    ///
    /// - Parameters:
    ///   - backend: The radio, real or virtual, which no manager uses yet.
    ///   - configuration: The limits, the clock, the log and the journal of the manager.
    public init(backend: some PeripheralBackend, configuration: Configuration = Configuration()) {
        let clock = configuration.clock ?? backend.ownClock
        let backend: any PeripheralBackend =
            BackendClaims.take(backend)
            ? backend : UnavailablePeripheralBackend(failure: .backendInUse, executor: backend.executor)
        environment = Environment(
            backend: backend, executor: backend.executor, clock: clock,
            logger: RadioLog(configuration.logger, configuration.logPrivacy),
            maximumPendingUpdates: max(configuration.maximumPendingUpdates, 1))
        pairing = PairingDesk(acceptsJustWorks: configuration.acceptsJustWorks)
        let capability = pairing.reportedCapability
        let database = LocalDatabase(meter: environment.meter)
        server = AttributeServer(
            database, configuration, platformLimit: backend.accessTimeLimit, writes: published.writes)
        updates = Updates(database, subscriptions: published.subscriptions)
        registrations = Registrations(database, published)
        links = CentralLinks(published, limit: configuration.maximumCentrals)
        if configuration.maximumCentrals != nil, !backend.features.contains(.centralDisconnection) {
            environment.logger.warning("maximumCentrals has no effect, as the platform does not end links of centrals")
        }
        let opened = Journal.open(
            PeripheralRestoration.self, .peripheral, configuration.restoreIdentifier,
            in: configuration.restorationStore ?? backend.restorationStore, logger: environment.logger)
        let isJournaled = opened.contents != nil
        journal = JournalKeeper(opened)
        let sink = PeripheralEventSink(callback { $0.apply($1) })
        let channelSink = ChannelEventSink(callback { $0.requests.channels.apply($1, $0) })
        if isJournaled { later { $0.journal.takeUp($0) } }
        executor.submit {
            backend.onExecutor {
                if $0.features.contains(.channels) { $0.activateChannels(channelSink) }
                $0.activate(clock: clock, sink: sink)
                if let capability { $0.setPairingCapability(capability) }
            }
        }
    }

    deinit {
        pairing.closeTickets()
        if case .closed = stage { return }
        if published.facts.withLock({ !$0.onAir.isEmpty }) {
            logger.warning("the manager is released while it advertises, which ends: hold on to it")
        }
        radio.finish()
        published.finish()
        let backend = backend
        executor.submit { backend.onExecutor { $0.invalidate() } }
    }

    // MARK: Environment

    /// Where the manager and its backend run, for a task that is to prefer it from its beginning; ``run(_:)`` runs a
    /// part of a task there. Neither may block it.
    public nonisolated var executor: any BackendExecutor { environment.executor }
    /// The clock of the configuration, or the backend's own, on which all timeouts and delays run.
    public nonisolated var clock: BlueCapClock { environment.clock }
    package nonisolated var backend: any PeripheralBackend { environment.backend }
    nonisolated var logger: RadioLog { environment.logger }
    nonisolated var meter: RadioMeter { environment.meter }
    nonisolated var unclaimed: Locked<Int> { published.unclaimed }
    nonisolated var channelCounts: Locked<ChannelTotals> { published.channelCounts }
    var deadlines: DeadlineTimer<PeripheralManager> { requests.deadlines }
    nonisolated var maximumPendingUpdates: Int { environment.maximumPendingUpdates }

    // MARK: State

    /// Whether the program ended the manager: calls are refused, and services and advertisements are being removed.
    var isInvalidated: Bool { if case .running = stage { false } else { true } }

    /// Whether nothing is expected of the backend any more.
    var isClosed: Bool { if case .closed = stage { true } else { false } }

    /// The last known state of the radio.
    public nonisolated var state: ManagerState { radio.current }

    /// Whether the radio is on.
    public nonisolated var isPoweredOn: Bool { state == .poweredOn }

    /// Whether any advertisement of this manager is on the air.
    public nonisolated var isAdvertising: Bool { isPoweredOn && published.facts.withLock { !$0.onAir.isEmpty } }

    /// The services that were added, in that order; those too that the manager is adding again at the moment.
    public nonisolated var services: [MutableService] { published.facts.withLock { $0.services } }

    /// The characteristics with which those services were added.
    public nonisolated var characteristics: [MutableCharacteristic] { published.facts.withLock { $0.characteristics } }

    /// The services with a UUID: several where several were added.
    public nonisolated func services(withUUID uuid: BluetoothUUID) -> [MutableService] {
        services.filter { $0.uuid == uuid }
    }

    /// The characteristics with a UUID, over all services.
    public nonisolated func characteristics(withUUID uuid: BluetoothUUID) -> [MutableCharacteristic] {
        characteristics.filter { $0.uuid == uuid }
    }

    /// The radio's states: the current one first, then every change, none dropped. Ends with the manager, when
    /// released, and for a cancelled task.
    public nonisolated func states() -> AsyncStream<ManagerState> { radio.states() }

    /// The beginnings and ends of subscriptions to any characteristic, from now on, none dropped. Ends with the
    /// manager, when released, and for a cancelled task.
    public nonisolated func subscriptions() -> AsyncStream<SubscriptionEvent> {
        published.subscriptions.stream(capacity: .unbounded)
    }

    /// The writes of centrals to any characteristic, from now on; as
    /// ``MutableCharacteristic/writeRequests(capacity:)``, with whose streams these share the requests.
    public nonisolated func writeRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<WriteRequest> {
        published.writes.stream(capacity: capacity)
    }

    /// How many requests were dropped because there was no room on the streams of ``writeRequests(capacity:)``.
    public nonisolated var droppedCount: Int { published.writes.droppedCount }

    /// Returns the centrals that are connected now, in the order in which they connected.
    ///
    /// They are those of the manager's adapter, which may have connected for another program's services. On
    /// CoreBluetooth, which reports subscriptions only, they are the centrals with a subscription. BlueZ does not say
    /// which side made a link: there they are the devices that connected while this manager had its radio and that no
    /// manager of this process connected to, and devices that were connected before and use a service of this manager.
    public nonisolated func centrals() -> [Central] { published.facts.withLock { $0.centrals } }

    /// When centrals connect, change, are lost or are refused, from now on, in that order, none dropped. The end of a
    /// link comes with its reason and with the work that the central left unfinished.
    ///
    /// With the radio all links end, each with its event. The stream ends with the manager, when released, and for a
    /// cancelled task; the end of the manager is not reported for each central.
    public nonisolated func centralEvents() -> AsyncStream<CentralLinkEvent> {
        published.centralEvents.stream(capacity: .unbounded)
    }

    /// The counts and times of the links of centrals since the manager was created.
    public nonisolated var centralLinkStatistics: CentralLinkStatistics {
        let now = clock.elapsed
        return published.facts.withLock { facts in
            var statistics = facts.linkStatistics
            statistics.cumulativeConnectedDuration =
                facts.linkBeginnings.reduce(statistics.finishedConnectedDuration) { $0 + max(now - $1, .zero) }
            return statistics
        }
    }

    /// When advertisements go on the air, are interrupted and end, from now on, in that order, none dropped. There is
    /// none for an advertisement that never was on the air: the call that was to start it throws.
    ///
    /// An event comes when it has happened: ``AdvertisingEvent/Kind/interrupted(_:)`` before the radio's new state. The
    /// stream ends with the manager, when released, and for a cancelled task; the end of the manager is not reported
    /// for each advertisement.
    public nonisolated func advertisingEvents() -> AsyncStream<AdvertisingEvent> {
        published.advertisingEvents.stream(capacity: .unbounded)
    }

    /// Returns a stream of the services and advertisements that ended although the app did not end them.
    ///
    /// The platform forgot them and refused to take them again, or ended an advertisement by itself. The first stream
    /// also gets the latest 64 failures from before it. A stream ends with the manager, when released, and for a
    /// cancelled task.
    public nonisolated func registrationFailures() -> AsyncStream<RegistrationFailure> {
        published.failures.stream(capacity: .unbounded)
    }

    /// The number of replies of the platform that no caller waited for, because they came after a timeout or
    /// cancellation.
    public nonisolated var unclaimedCount: Int { published.unclaimed.withLock { $0 } }

    /// The counts of all channels since the manager was created.
    public nonisolated var channelTotals: ChannelTotals { channelCounts.withLock { $0 } }

    /// Returns when the radio is on: at once if it is.
    ///
    /// - Parameter timeout: How long to wait; nil for as long as it takes.
    /// - Throws: `.unsupported`, `.unauthorized` or `.backend` at once where waiting will not help; when the time has
    ///   passed `.backend` with the platform's reason, or `.powerOnTimeout` where it gave none; `.cancelled`;
    ///   `.invalidated`.
    public func whenPoweredOn(timeout: Duration? = nil) async throws(PeripheralManagerError) {
        try await waitUntilPoweredOn(timeout: timeout)
    }

    nonisolated func isSendable(_ error: ATTError) -> Bool { backend.isSendable(error) }

    nonisolated func isOnAir(_ id: AdvertisementID) -> Bool {
        isPoweredOn && published.facts.withLock { $0.onAir.contains(id) }
    }

    // MARK: The end

    /// Removes all services and advertisements, ends all requests with `.invalidated`, and returns when the platform
    /// has forgotten them; the manager stays usable. Values stay with their characteristics. It waits in a cancelled
    /// task, too.
    ///
    /// - Parameter timeout: How long to wait for the platform; nil for as long as it takes. The removal goes on after
    ///   it.
    /// - Returns: Whether the platform has forgotten all.
    @discardableResult
    public func reset(timeout: Duration? = .seconds(5)) async -> Bool {
        let all = registrations.all.reversed().map(\.id)
        for id in all { registrations.withdraw(id, .invalidated, self) }
        let end = timeout.map { clock.elapsed + $0 }
        var isGone = true
        for id in all where !(await becomesAbsent(id, until: end)) { isGone = false }
        return isGone
    }

    /// Ends the manager for good: services and advertisements are removed, calls that wait end with `.invalidated`, and
    /// every stream quietly, those of the characteristics that were added too. Calls made later throw `.invalidated`.
    ///
    /// It returns when the platform has removed the services and advertisements, in a cancelled task too, as
    /// ``CentralManager/invalidate(timeout:)`` does when it has ended the connections; a second call waits for the end
    /// of the first. While the radio is off there is nothing to wait for.
    ///
    /// A platform that does not answer does not hold the end up: when the timeout has passed, the manager asks for the
    /// removal once more, waits for nothing, and is ended.
    ///
    /// - Parameter timeout: How long to wait for the platform; nil for as long as it takes.
    /// - Returns: The services and advertisements that the platform had not removed in time, in the order in which they
    ///   were offered. Empty when everything is removed.
    @discardableResult
    public func invalidate(timeout: Duration? = .seconds(5)) async -> [RegistrationFailure.Subject] {
        let end = timeout.map { clock.elapsed + $0 }
        if isInvalidated {
            await allAreAbsent(until: end)
            return unremoved
        }
        server.failAll(self)
        stage = .ending
        let added = registrations.database.characteristics
        for registration in registrations.all.reversed() {
            registrations.withdraw(registration.id, .invalidated, self)
        }
        radio.resolveAll(self)
        pairing.end(self)
        for characteristic in added { characteristic.endStreams() }
        await allAreAbsent(until: end)
        let unremoved = unremoved
        stage = .closed(unremoved: unremoved)
        registrations.end(self)
        requests.drain(nil, .invalidated, self)
        requests.channels.endAll(.invalidated, self)
        links.close(self)
        radio.finish()
        published.finish()
        deadlines.stop()
        journal.write(self)
        journal.close()
        backend.onExecutor { $0.invalidate() }
        return unremoved
    }

    /// The services and advertisements that the platform has not removed yet, or had not when the manager was ended.
    /// Without the radio the platform offers nothing.
    private var unremoved: [RegistrationFailure.Subject] {
        if case .closed(let unremoved) = stage { return unremoved }
        return state == .poweredOn ? registrations.all.map(\.subject) : []
    }

    /// What is under way or on the platform, by kind: nothing once everything was taken back.
    package var remains: [String: Int] {
        let own = [
            "registrations": registrations.all.count, "accesses": server.openCount,
            "attributes": registrations.database.count,
        ]
        return commonRemains.merging(own.filter { $0.value > 0 }) { $1 }
    }
}
