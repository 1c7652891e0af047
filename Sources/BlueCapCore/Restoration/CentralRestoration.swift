// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The connections, subscriptions and scans that a central manager had and wants again: the contents of its journal, or
/// the report of a platform that restores by itself.
public struct CentralRestoration: Sendable, Hashable {
    /// A peripheral that the program wanted to be connected.
    public struct Peripheral: Sendable, Hashable {
        /// The identifier under which the manager connects to the peripheral again.
        public var id: PeerIdentifier
        /// Its name, if there is one.
        public var name: String?
        /// Whether the connection stood, and was not only being made.
        public var isConnected: Bool
        /// The policy for failed attempts and losses.
        public var reconnectPolicy: ReconnectPolicy
        /// The timeout of each attempt.
        public var attemptTimeout: Duration?
        /// The characteristics whose notifications were on.
        public var subscriptions: [Subscription]

        /// Creates a peripheral to connect to again.
        ///
        /// - Parameters:
        ///   - id: The identifier under which the manager connects to it.
        ///   - name: The name to show until the platform reports one; nil where none is known.
        ///   - isConnected: Whether the link was up, rather than being made.
        ///   - reconnectPolicy: The policy for failed attempts and lost connections.
        ///   - attemptTimeout: How long each attempt may take; nil for no limit.
        ///   - subscriptions: The characteristics whose notifications are to be on again.
        public init(
            id: PeerIdentifier, name: String? = nil, isConnected: Bool = true,
            reconnectPolicy: ReconnectPolicy = .never, attemptTimeout: Duration? = nil,
            subscriptions: [Subscription] = []
        ) {
            self.id = id
            self.name = name
            self.isConnected = isConnected
            self.reconnectPolicy = reconnectPolicy
            self.attemptTimeout = attemptTimeout
            self.subscriptions = subscriptions
        }
    }

    /// A characteristic whose notifications were on.
    public struct Subscription: Sendable, Hashable {
        /// The service that has it, by its place in the peer's database.
        public var service: DiscoveredService
        /// The characteristic, by its place in the peer's database.
        public var characteristic: DiscoveredCharacteristic
        /// How values travelled from the platform's service.
        public var transport: NotificationTransport
        /// The primary service through which ``service`` was found, where that is an included one; nil otherwise.
        public var includingService: DiscoveredService?

        /// Creates a subscription to make again.
        ///
        /// - Parameters:
        ///   - service: The service that has the characteristic, with its place in the peer's database.
        ///   - characteristic: The characteristic, with its place in the peer's database.
        ///   - transport: How values travel from the platform's service.
        ///   - includingService: The primary service through which an included service is found again; nil for a
        ///     primary one.
        public init(
            service: DiscoveredService, characteristic: DiscoveredCharacteristic,
            transport: NotificationTransport = .standard, includingService: DiscoveredService? = nil
        ) {
            self.includingService = includingService
            self.service = service
            self.characteristic = characteristic
            self.transport = transport
        }
    }

    /// A scan that ran, without an end of its own.
    public struct Scan: Sendable, Hashable {
        /// The services that it looked for, in the order of their UUIDs; none for all.
        public var services: [BluetoothUUID]
        /// What the scan left out, and how it reported repeated sightings.
        public var options: ScanOptions

        /// Creates a scan to run again.
        ///
        /// - Parameters:
        ///   - services: The services of which a peripheral has to advertise one; empty for every peripheral.
        ///   - options: The sightings that are left out too, and how repeated sightings are reported.
        public init(services: [BluetoothUUID] = [], options: ScanOptions = ScanOptions()) {
            self.services = services
            self.options = options
        }
    }

    /// The peripherals that were connected or were to be, each once.
    public var peripherals: [Peripheral]
    /// The scans that ran without an end of their own.
    public var scans: [Scan]

    /// Creates the state to restore; empty by default.
    ///
    /// - Parameters:
    ///   - peripherals: The peripherals to connect to again, each identifier at most once.
    ///   - scans: The scans to run again.
    public init(peripherals: [Peripheral] = [], scans: [Scan] = []) {
        self.peripherals = peripherals
        self.scans = scans
    }
}

extension CentralRestoration: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(peripherals) { $0.put($1) }
        encoder.put(scans) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        peripherals = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        scans = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        guard Set(peripherals.map(\.id)).count == peripherals.count else { throw .corrupt }
    }
}

extension CentralRestoration.Peripheral: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.text)
        encoder.put(name) { $0.put($1) }
        encoder.put(isConnected)
        encoder.put(reconnectPolicy)
        encoder.put(attemptTimeout) { $0.put($1) }
        encoder.put(subscriptions) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        id = PeerIdentifier(try decoder.text())
        name = try decoder.optional { decoder throws(JournalFailure) in try decoder.text() }
        isConnected = try decoder.flag()
        reconnectPolicy = try decoder.value()
        attemptTimeout = try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() }
        subscriptions = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        guard Set(subscriptions.map(\.characteristic.id)).count == subscriptions.count else { throw .corrupt }
    }
}

extension CentralRestoration.Subscription: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(service)
        encoder.put(characteristic.id.rawValue)
        encoder.put(characteristic.uuid)
        encoder.put(characteristic.properties.rawValue)
        encoder.put(transport == .socket)
        encoder.put(includingService) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        service = try decoder.value()
        characteristic = DiscoveredCharacteristic(
            id: AttributeID(rawValue: try decoder.number()), uuid: try decoder.uuid(),
            properties: CharacteristicProperties(rawValue: try decoder.number()))
        transport = try decoder.flag() ? .socket : .standard
        if decoder.version > 1 {
            includingService = try decoder.optional { decoder throws(JournalFailure) in try decoder.value() }
        }
    }
}

extension DiscoveredService: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id.rawValue)
        encoder.put(uuid)
        encoder.put(isPrimary)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            id: AttributeID(rawValue: try decoder.number()), uuid: try decoder.uuid(), isPrimary: try decoder.flag())
    }
}

extension CentralRestoration.Scan: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(services) { $0.put($1) }
        encoder.put(options.allowsDuplicates)
        encoder.put(options.minimumRSSI) { $0.put(Int64($1)) }
        encoder.put(options.namePrefix) { $0.put($1) }
        encoder.put(options.addressPrefix) { $0.put($1) }
        encoder.put(options.lostAfter) { $0.put($1) }
        encoder.put(options.mode)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        services = try decoder.list { decoder throws(JournalFailure) in try decoder.uuid() }
        options = ScanOptions(
            allowsDuplicates: try decoder.flag(),
            minimumRSSI: try decoder.optional { decoder throws(JournalFailure) in try decoder.integer() },
            namePrefix: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() },
            addressPrefix: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() },
            lostAfter: try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() })
        if decoder.version > 2 { options.mode = try decoder.value() }
    }
}

extension ReconnectPolicy: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(maximumTimeouts) { $0.put(Int64($1)) }
        encoder.put(maximumDisconnections) { $0.put(Int64($1)) }
        switch backoff {
        case .constant(let delay):
            encoder.put(UInt8(0))
            encoder.put(delay)
        case .exponential(let initial, let maximum):
            encoder.put(UInt8(1))
            encoder.put(initial)
            encoder.put(maximum)
        }
        encoder.put(maximumAbsence) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        maximumTimeouts = try decoder.optional { decoder throws(JournalFailure) in try decoder.integer() }
        maximumDisconnections = try decoder.optional { decoder throws(JournalFailure) in try decoder.integer() }
        switch try decoder.number(UInt8.self) {
        case 0: backoff = .constant(try decoder.duration())
        case 1: backoff = .exponential(initial: try decoder.duration(), maximum: try decoder.duration())
        default: throw .corrupt
        }
        if decoder.version > 1 {
            maximumAbsence = try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() }
        }
    }
}
