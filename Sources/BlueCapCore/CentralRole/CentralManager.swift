// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe
public import Logging

/// The central role: finds peripherals and connects to them.
///
/// ```swift
/// let central = CentralManager()                      // the platform's radio; init(backend:) for another
/// try await central.whenPoweredOn(timeout: .seconds(5))
/// for try await sighting in central.scan(timeout: .seconds(10)) {
///     print(sighting.peripheral.displayName, sighting.rssi ?? 0)
/// }
/// ```
///
/// A manager is an actor on its backend's executor, so the events of the radio are applied in order, without a task or
/// a hop for each event. States, sightings and connection events are `AsyncStream`s, each call an independent one.
///
/// A manager keeps its peripherals; they do not keep it. Hold on to the manager for as long as they are used: when it
/// is released it takes down every connection that it made, and calls on its peripherals throw `.invalidated`.
public actor CentralManager {
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
        /// How many peripherals that are not connected are remembered; the longest unseen is forgotten first. Random
        /// addresses would otherwise make the list grow for as long as a scan runs.
        public var maximumDiscoveredPeripherals: Int
        /// The maximum number of services, characteristics and descriptors of one peripheral together.
        ///
        /// A discovery that finds more fails with `.backend` and the name `BlueCap.TooManyAttributes`, and the
        /// attributes that were known stay.
        public var maximumAttributes: Int
        /// The profiles that name discovered attributes and turn their values into text; none by default.
        public var profiles: ProfileManager
        /// A Boolean value that is true if pairing without any proof of the other side's identity (Just Works) is
        /// accepted without asking; false by default.
        ///
        /// The manager then answers for pairing from the beginning, as a device that can neither show nor take a
        /// passkey. On BlueZ this process is then the machine's default pairing agent: a request that no listener in it
        /// answers is rejected, whichever device it is about, even where another program would have agreed.
        public var acceptsJustWorks: Bool
        /// The name by which later programs recognise this manager; nil, as by default, for none.
        ///
        /// With a name the manager keeps a journal, and restores the connections, subscriptions and scans of the last
        /// program; see <doc:Restoration>. It has at most 100 bytes, and each manager of a role needs one of its own.
        public var restoreIdentifier: String?
        /// Where the journal is kept; nil for where the backend keeps journals: files in the folder of the environment,
        /// see ``FileRestorationStore``.
        public var restorationStore: (any RestorationStore)?

        /// Creates a configuration; the defaults suit an app.
        ///
        /// - Parameters:
        ///   - clock: The clock of all timeouts; nil for the backend's own.
        ///   - logger: The destination of the manager's log.
        ///   - maximumDiscoveredPeripherals: How many unconnected peripherals the manager remembers; at least 1 is
        ///     used.
        ///   - profiles: The profiles by which discovered services are named and values become text.
        ///   - acceptsJustWorks: Whether the manager pairs without asking where neither side can be authenticated.
        ///   - maximumAttributes: How many attributes of one peripheral the manager accepts; at least 1 is used.
        ///   - logPrivacy: Whether addresses and names appear in the log.
        ///   - restoreIdentifier: The name of the manager's journal, 1 through 100 bytes in UTF-8; nil to keep none.
        ///   - restorationStore: Where the journal is kept; nil for the backend's own place.
        public init(
            clock: BlueCapClock? = nil, logger: Logger = Logger(label: "bluecap.central"),
            maximumDiscoveredPeripherals: Int = 1024, profiles: ProfileManager = ProfileManager(),
            acceptsJustWorks: Bool = false, maximumAttributes: Int = 4096, logPrivacy: LogPrivacy = .redacted,
            restoreIdentifier: String? = nil, restorationStore: (any RestorationStore)? = nil
        ) {
            self.clock = clock
            self.logger = logger
            self.maximumDiscoveredPeripherals = maximumDiscoveredPeripherals
            self.profiles = profiles
            self.acceptsJustWorks = acceptsJustWorks
            self.maximumAttributes = maximumAttributes
            self.logPrivacy = logPrivacy
            self.restoreIdentifier = restoreIdentifier
            self.restorationStore = restorationStore
        }
    }

    /// The surroundings of a manager, which never change.
    private struct Environment: Sendable {
        let backend: any CentralBackend
        let executor: any BackendExecutor
        let clock: BlueCapClock
        let logger: RadioLog
        let profiles: ProfileManager
        let keepsJournal: Bool
        let meter = RadioMeter(role: .central)
    }

    /// How far the program's end of the manager has come.
    private enum Stage {
        case running
        /// Calls are refused, and connections are being ended.
        case ending
        /// Nothing is expected of the backend any more, not even the ends that were asked for.
        case closed
    }

    private nonisolated let environment: Environment
    private nonisolated let published = PublishedCentralState()
    private var stage = Stage.running

    nonisolated let radio = RadioState<CentralManager>()
    nonisolated let pairing: PairingDesk<CentralManager>
    let requests = RequestLine<CentralManager>()
    let journal: JournalKeeper<CentralManager>
    let book: PeripheralBook
    let scans: ScanDesk
    nonisolated let connections: Connections
    let deliveries = Deliveries()

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
    public init(backend: some CentralBackend, configuration: Configuration = Configuration()) {
        let clock = configuration.clock ?? backend.ownClock
        let backend: any CentralBackend =
            BackendClaims.take(backend)
            ? backend : UnavailableCentralBackend(failure: .backendInUse, executor: backend.executor)
        let logger = RadioLog(configuration.logger, configuration.logPrivacy)
        let opened = Journal.open(
            CentralRestoration.self, .central, configuration.restoreIdentifier,
            in: configuration.restorationStore ?? backend.restorationStore, logger: logger)
        environment = Environment(
            backend: backend, executor: backend.executor, clock: clock, logger: logger,
            profiles: configuration.profiles, keepsJournal: opened.journal != nil)
        pairing = PairingDesk(acceptsJustWorks: configuration.acceptsJustWorks)
        let capability = pairing.reportedCapability
        book = PeripheralBook(published, maximum: max(configuration.maximumDiscoveredPeripherals, 1))
        scans = ScanDesk(published)
        connections = Connections(published, maximumAttributes: max(configuration.maximumAttributes, 1))
        let isJournaled = opened.contents != nil
        journal = JournalKeeper(opened)
        let sink = CentralEventSink(callback { $0.apply($1) })
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
    /// The profiles from the manager's configuration.
    public nonisolated var profiles: ProfileManager { environment.profiles }
    package nonisolated var backend: any CentralBackend { environment.backend }
    nonisolated var logger: RadioLog { environment.logger }
    nonisolated var meter: RadioMeter { environment.meter }
    nonisolated var unclaimed: Locked<Int> { published.unclaimed }
    nonisolated var channelCounts: Locked<ChannelTotals> { published.channelCounts }
    nonisolated var keepsJournal: Bool { environment.keepsJournal }
    var deadlines: DeadlineTimer<CentralManager> { requests.deadlines }

    // MARK: State

    /// Whether the program ended the manager: calls are refused.
    var isInvalidated: Bool { if case .running = stage { false } else { true } }

    /// Whether the backend was ended too: nothing is expected of it any more.
    var isClosed: Bool { if case .closed = stage { true } else { false } }

    /// The last known state of the radio.
    public nonisolated var state: ManagerState { radio.current }

    /// Whether the radio is on.
    public nonisolated var isPoweredOn: Bool { state == .poweredOn }

    /// Whether any scan of this manager runs.
    public nonisolated var isScanning: Bool { published.facts.withLock { $0.isScanning } }

    /// For how long an absence has shown, because peripherals are sighted as often as they are heard; nil while the
    /// platform reports each once (``CentralEvent/sightingsCoalesced(_:)``).
    package nonisolated var absencesShowFor: Duration? {
        let elapsed = clock.elapsed
        return published.facts.withLock { $0.absencesShowSince }.map { elapsed - $0 }
    }

    /// The peripherals that this manager knows, in the order of their discovery.
    public nonisolated var peripherals: [Peripheral] {
        published.facts.withLock { Array($0.peripherals.values) }.sorted {
            ($0.discoveredAt, $0.identifier) < ($1.discoveredAt, $1.identifier)
        }
    }

    /// The services of all peripherals that this manager knows.
    public nonisolated var services: [Service] { peripherals.flatMap(\.services) }

    /// The peripheral with an identifier, if this manager knows it.
    public nonisolated func peripheral(withIdentifier identifier: PeerIdentifier) -> Peripheral? {
        published.facts.withLock { $0.peripherals[identifier] }
    }

    /// The radio's states: the current one first, then every change, none dropped. Ends with the manager, when
    /// released, and for a cancelled task.
    public nonisolated func states() -> AsyncStream<ManagerState> { radio.states() }

    /// The sightings of all scans, from now on. Of a peripheral whose sighting was not taken yet only the newest is
    /// kept. Ends with the manager, when released, and for a cancelled task; listening alone starts no scan.
    public nonisolated func discoveries(capacity: StreamCapacity = .newest(4096)) -> AsyncStream<Discovery> {
        published.discoveries.stream(capacity: capacity)
    }

    /// The connection events of all peripherals, from now on, none dropped. Ends with the manager, when released, and
    /// for a cancelled task.
    public nonisolated func connectionEvents() -> AsyncStream<PeripheralConnectionEvent> {
        published.connectionEvents.stream(capacity: .unbounded)
    }

    /// The characteristics of present connections as they are discovered: those that were by now first, in the order of
    /// their connections and their databases, then each whenever a discovery finds it, so after a reconnection again.
    ///
    /// Ends with the manager, when released, and for a cancelled task.
    ///
    /// - Parameters:
    ///   - uuid: Only those with the UUID; nil for all.
    ///   - service: Only those in a service with the UUID; nil for any.
    ///   - capacity: How many are kept for a slow loop.
    public func discoveredCharacteristics(
        withUUID uuid: BluetoothUUID? = nil, in service: BluetoothUUID? = nil,
        capacity: StreamCapacity = .newest(1024)
    ) -> AsyncStream<Characteristic> {
        let isWanted = { @Sendable (characteristic: Characteristic) in
            (uuid == nil || characteristic.uuid == uuid) && (service == nil || characteristic.serviceUUID == service)
        }
        let known = book.used.flatMap { $0.database.characteristics.values.filter(isWanted).sorted { $0.id < $1.id } }
        return published.characteristics.stream(capacity: capacity, first: known, where: isWanted)
    }

    /// How many sightings were dropped because there was no room on the streams of ``discoveries(capacity:)``.
    public nonisolated var droppedCount: Int { published.discoveries.droppedCount }

    /// The number of values and replies of the platform that no caller or listener waited for: replies after a timeout
    /// or a lost link, notified values of attributes that were not discovered or that have no listener (any more).
    public nonisolated var unclaimedCount: Int { published.unclaimed.withLock { $0 } }

    /// The counts of all channels since the manager was created.
    public nonisolated var channelTotals: ChannelTotals { channelCounts.withLock { $0 } }

    /// Returns when the radio is on: at once if it is.
    ///
    /// - Parameter timeout: How long to wait; nil for as long as it takes.
    /// - Throws: `.unsupported`, `.unauthorized` or `.backend` at once where waiting will not help; when the time has
    ///   passed `.backend` with the platform's reason, or `.powerOnTimeout` where it gave none; `.cancelled`;
    ///   `.invalidated`.
    public func whenPoweredOn(timeout: Duration? = nil) async throws(CentralManagerError) {
        try await waitUntilPoweredOn(timeout: timeout)
    }

    // MARK: The end

    /// Ends the manager for good, and returns when its connections are down, in a cancelled task too.
    ///
    /// Every scan and request ends with `.invalidated`, every connection and attempt with `.forcedDisconnect`, and
    /// every stream quietly. Calls made later throw `.invalidated`.
    ///
    /// A platform that does not answer does not hold the end up: when the timeout has passed, the manager asks for the
    /// end of each connection once more, waits for nothing, and is ended. A second call waits for the end of the first.
    ///
    /// - Parameter timeout: How long to wait for the ends of connections; nil for as long as they take.
    /// - Returns: The peripherals whose connections, or attempts at one, were not down in time; the platform may keep
    ///   these links. Empty when everything is down.
    @discardableResult
    public func invalidate(timeout: Duration? = .seconds(5)) async -> [Peripheral] {
        let end = end(after: timeout)
        if isInvalidated {
            if !isClosed { _ = await disconnectAll(until: end) }
            return unended
        }
        stage = .ending
        endEverything()
        pairing.end(self)
        radio.resolveAll(self)
        _ = await removeAll(until: end)
        close()
        return unended
    }

    /// Expects nothing of the backend from now on, not even the ends that were asked for.
    private func close() {
        stage = .closed
        for record in book.used { record.connection.giveUpWaitingForEnd(self) }
        journal.write(self)
        journal.close()
        radio.finish()
        published.finish()
        deadlines.stop()
        backend.onExecutor { $0.invalidate() }
    }
}
