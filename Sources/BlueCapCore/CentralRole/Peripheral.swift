// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A peripheral that a ``CentralManager`` has met: a handle with a stable identity.
///
/// ```swift
/// let strap = try await central.firstDiscovery(for: [BatteryService.uuid], timeout: .seconds(10)).peripheral
/// try await strap.connect(timeout: .seconds(5))
/// try await strap.discover([BatteryService.uuid], timeout: .seconds(5))
/// let level = try strap.characteristic(BatteryService.Level.self)
/// print(strap.displayName, try await level.read(timeout: .seconds(2)).percent)
/// ```
///
/// The same object represents the same peripheral in all sightings and connections of one manager. Its properties are
/// read without `await`; they hold the last report of the radio. Peripherals compare by identity.
public final class Peripheral: Sendable, Identifiable {
    /// The identifier of the peripheral, which is the same over connections and runs of the program.
    public let identifier: PeerIdentifier
    /// The time at which this manager first encountered the peripheral.
    public let discoveredAt: Timestamp
    let discoveredElapsed: Duration
    let clock: BlueCapClock
    let facts = Locked(Facts())
    private weak let weakManager: CentralManager?

    init(identifier: PeerIdentifier, manager: CentralManager?, clock: BlueCapClock) {
        self.identifier = identifier
        self.clock = clock
        weakManager = manager
        discoveredAt = clock.date
        discoveredElapsed = clock.elapsed
    }

    deinit { endStreams() }

    /// Ends the streams, because the manager is released.
    func endStreams() {
        let streams = facts.withLock { facts in
            facts.isOver = true
            return facts.streams
        }
        streams?.finish()
    }

    /// The manager that this peripheral belongs to; nil once it is released.
    public var manager: CentralManager? { weakManager }

    /// The same as ``identifier``.
    public var id: PeerIdentifier { identifier }

    /// The name that the peripheral advertises or that the platform knows; nil without a name.
    public var name: String? { facts.withLock { $0.name } }

    /// The name to show to people: ``name``, or `"Unknown"` without one.
    public var displayName: String { name ?? "Unknown" }

    /// The signal strength in dBm, from the last sighting or reading.
    public var rssi: Int? { facts.withLock { $0.rssi } }

    /// The state of the connection.
    public var state: PeripheralState { facts.withLock { $0.state } }

    /// A Boolean value that is true if the link to the peripheral is up.
    public var isConnected: Bool { state == .connected }

    /// The fields of its advertisements as this manager last saw them.
    public var advertisements: PeripheralAdvertisements { facts.withLock { $0.advertisements } }

    /// The services discovered last, in the order of the peer's database.
    ///
    /// They remain after a disconnect, but using them then needs a new discovery.
    public var services: [Service] { facts.withLock { $0.services } }

    /// Returns the service with a UUID.
    ///
    /// - Parameter uuid: The UUID of the service.
    /// - Throws: `.notDiscovered`, or `.missing` if all services were discovered; `.ambiguous` if several services have
    ///   the UUID: pick one of ``services(withUUID:)``.
    public func service(_ uuid: BluetoothUUID) throws(PeripheralError) -> Service {
        let (services, isAll) = facts.withLock { ($0.services, $0.hasAllServices) }
        let found = services.filter { $0.uuid == uuid }
        guard let first = found.first else { throw isAll ? .missing(uuid) : .notDiscovered(uuid) }
        if found.count > 1 { throw .ambiguous(uuid, count: found.count) }
        return first
    }

    /// Returns the services with a UUID, as many as the peer's database has.
    public func services(withUUID uuid: BluetoothUUID) -> [Service] { services.filter { $0.uuid == uuid } }

    /// The ATT_MTU of the connection; nil while it is not known.
    public var maximumTransmissionUnit: Int? { facts.withLock { $0.maximumTransmissionUnit } }

    /// Returns the maximum length of a value, in bytes, that one write can carry on this connection.
    ///
    /// With a response it is 512, the longest value of any attribute (Core Specification, Vol 3, Part F, 3.2.9);
    /// without one it is the ATT_MTU less 3, and 20 while the MTU is not known.
    public func maximumWriteLength(for kind: WriteKind) -> Int {
        switch kind {
        case .withResponse: 512
        case .withoutResponse, .withoutResponseOverSocket: min(max(maximumTransmissionUnit ?? 23, 23) - 3, 512)
        }
    }

    /// The policy by which the manager connects again when an attempt fails or the connection is lost; by default it
    /// does not.
    ///
    /// A change takes effect at the next failure or loss, and that of ``ReconnectPolicy/maximumAbsence`` at once, also
    /// for an absence that has begun. It has no effect while ``stayConnected(_:timeout:discovering:_:)`` runs, which
    /// has its own policy.
    public var reconnectPolicy: ReconnectPolicy {
        get { facts.withLock { $0.reconnectPolicy } }
        set {
            let old = facts.withLock { facts in
                defer { facts.reconnectPolicy = newValue }
                return facts.reconnectPolicy
            }
            guard let manager else { return }
            if manager.keepsJournal { manager.later { $0.restorationChanged() } }
            if newValue.maximumAbsence != old.maximumAbsence {
                manager.later(with: identifier) { $1.connection.maximumAbsenceChanged($0) }
            }
        }
    }

    /// The present counts and times of the peripheral's connections.
    public var statistics: PeripheralStatistics {
        let elapsed = clock.elapsed
        return facts.withLock { $0.statistics(at: elapsed, since: discoveredElapsed) }
    }

    /// Returns the events of the connection from now on; no event is dropped.
    ///
    /// The stream continues over reconnections. It ends when the peripheral or the stream is released, and for a
    /// cancelled task.
    public func connectionEvents() -> AsyncStream<ConnectionEvent> { streams.connection.stream(capacity: .unbounded) }

    /// Returns the UUIDs of services that the peer changed or removed, from now on (Service Changed, Core
    /// Specification, Vol 3, Part G, 7.1).
    ///
    /// Discover services again to get the present services. No change is dropped; the stream ends as
    /// ``connectionEvents()`` does.
    public func serviceChanges() -> AsyncStream<[BluetoothUUID]> { streams.services.stream(capacity: .unbounded) }

    private var streams: Streams {
        let (streams, isOver) = facts.withLock { facts in
            let streams = facts.streams ?? Streams()
            facts.streams = streams
            return (streams, facts.isOver)
        }
        if isOver { streams.finish() }
        return streams
    }

    /// Sends an event of the connection to the listeners.
    func send(_ event: ConnectionEvent) { facts.withLock { $0.streams }?.connection.push(event) }

    /// Sends changed services to the listeners.
    func send(changed services: [BluetoothUUID]) { facts.withLock { $0.streams }?.services.push(services) }

    func requireManager() throws(PeripheralError) -> CentralManager {
        guard let manager else { throw .invalidated }
        return manager
    }
}

extension Peripheral: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: Peripheral, right: Peripheral) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Peripheral: CustomStringConvertible {
    /// The name and the identifier.
    public var description: String { "\(displayName) (\(identifier))" }
}

/// The state of a peripheral's connection.
public enum PeripheralState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// There is no link.
    ///
    /// The manager may be about to connect again by the ``ReconnectPolicy``.
    case disconnected
    /// An attempt to connect is running, even if the peripheral is out of range.
    case connecting
    /// The link to the peripheral is up.
    case connected
    /// The connection, or the attempt at one, is being ended.
    case disconnecting

    /// The state's name.
    public var description: String { rawValue }
}

/// Names of the first BlueCap, kept so that the compiler reports their present names.
extension Peripheral {
    /// The old name of ``connect(timeout:)``.
    @available(*, unavailable, renamed: "connect(timeout:)")
    public func connect(connectionTimeout: Double, capacity: Int = .max) {}

    /// The old name of ``discoverServices(_:timeout:)``.
    @available(*, unavailable, renamed: "discoverServices(_:timeout:)")
    public func discoverAllServices(timeout: Double = .infinity) {}

    /// The old name of ``rssiUpdates(every:capacity:)``.
    @available(*, unavailable, renamed: "rssiUpdates(every:capacity:)")
    public func startPollingRSSI(period: Double = 10, capacity: Int = .max) {}

    /// Readings end when their loop is left.
    @available(*, unavailable, message: "leave the loop over rssiUpdates(every:capacity:)")
    public func stopPollingRSSI() {}
}
