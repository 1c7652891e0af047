// SPDX-License-Identifier: MIT

#if Metrics
import BlueCapRuntime
import CoreMetrics

/// The only type that reports a manager's activity to swift-metrics.
///
/// The metrics are created with the manager, by the factory that is current at that time. The managers of a process
/// share every metric without the dimension `role`. A manager therefore changes a level in steps, and subtracts its own
/// share when it is released.
final class RadioMeter: Sendable {
    typealias Start = Duration

    private struct OperationKey: Hashable {
        let operation: String
        let outcome: String
    }

    private let role: Role
    private let factory: any MetricsFactory
    private let sightings: Counter
    private let connections: Counter
    private let reconnections: Counter
    private let centralConnections: Counter
    private let refusedCentrals: Counter
    private let abandoned: [Abandoned: Counter]
    private let unclaimed: Counter
    private let dropped: [Dropped: Counter]
    private let levels: [Level: SharedLevel]
    let channels: ChannelMeter
    /// The timers of the pairs of operation and outcome that have occurred; most pairs never occur.
    private let timers = Locked<[OperationKey: Timer]>([:])

    init(role: Role) {
        let factory = MetricsSystem.factory
        func counter(_ label: String, _ dimensions: [(String, String)] = []) -> Counter {
            Counter(label: label, dimensions: dimensions, factory: factory)
        }
        self.role = role
        self.factory = factory
        sightings = counter("bluecap_sightings_total")
        connections = counter("bluecap_connections_total")
        reconnections = counter("bluecap_reconnections_total")
        centralConnections = counter("bluecap_central_connections_total")
        refusedCentrals = counter("bluecap_refused_centrals_total")
        let work = Abandoned.allCases.map { ($0, counter("bluecap_abandoned_total", [("what", $0.rawValue)])) }
        abandoned = Dictionary(uniqueKeysWithValues: work)
        unclaimed = counter("bluecap_unclaimed_total", [("role", role.rawValue)])
        let kinds = Dropped.allCases.map { ($0, counter("bluecap_dropped_total", [("what", $0.rawValue)])) }
        dropped = Dictionary(uniqueKeysWithValues: kinds)
        let all = Level.allCases.map { ($0, SharedLevel(Meter(label: $0.rawValue, factory: factory))) }
        levels = Dictionary(uniqueKeysWithValues: all)
        channels = ChannelMeter(factory)
    }

    func sighted() { sightings.increment() }

    func connected(again: Bool) {
        connections.increment()
        if again { reconnections.increment() }
    }

    func centralConnected() { centralConnections.increment() }

    func centralRefused() { refusedCentrals.increment() }

    func abandoned(_ kind: Abandoned, _ count: Int) { if count > 0 { abandoned[kind]?.increment(by: count) } }

    func dropped(_ kind: Dropped, _ count: Int) { if count > 0 { dropped[kind]?.increment(by: count) } }

    func unclaimed(_ count: Int) { if count > 0 { unclaimed.increment(by: count) } }

    func change(_ level: Level, by step: Int) { levels[level]?.change(by: step) }

    /// Returns the time at which an operation begins.
    func begin(_ clock: BlueCapClock) -> Start { clock.elapsed }

    /// Records the end of an operation.
    func end(_ operation: String, _ outcome: MeteredOutcome, since start: Start, _ clock: BlueCapClock) {
        let key = OperationKey(operation: operation, outcome: outcome.meterLabel)
        let made = timers.withLock { $0[key] }
        let timer = made ?? timer(key)
        if made == nil { timers.withLock { $0[key] = timer } }
        timer.recordSeconds(max(clock.elapsed - start, .zero) / .seconds(1))
    }

    private func timer(_ key: OperationKey) -> Timer {
        let dimensions = [("role", role.rawValue), ("operation", key.operation), ("outcome", key.outcome)]
        return Timer(
            label: "bluecap_operation_duration_seconds", dimensions: dimensions, preferredDisplayUnit: .seconds,
            factory: factory)
    }
}

/// A manager's share of a level that all managers of the process change.
private final class SharedLevel: Sendable {
    private let meter: Meter
    private let share = Locked(0)

    init(_ meter: Meter) { self.meter = meter }

    func change(by step: Int) {
        share.withLock { $0 += step }
        if step > 0 { meter.increment(by: Double(step)) } else { meter.decrement(by: Double(-step)) }
    }

    deinit {
        let rest = share.withLock { $0 }
        if rest > 0 { meter.decrement(by: Double(rest)) }
    }
}
#else
/// A meter without the trait `Metrics`: it counts nothing, and its calls compile to no code.
struct RadioMeter {
    typealias Start = Void

    @inline(__always) init(role: Role) {}
    @inline(__always) var channels: ChannelMeter { ChannelMeter() }
    @inline(__always) func sighted() {}
    @inline(__always) func connected(again: Bool) {}
    @inline(__always) func centralConnected() {}
    @inline(__always) func centralRefused() {}
    @inline(__always) func abandoned(_ kind: Abandoned, _ count: Int) {}
    @inline(__always) func dropped(_ kind: Dropped, _ count: Int) {}
    @inline(__always) func unclaimed(_ count: Int) {}
    @inline(__always) func change(_ level: Level, by step: Int) {}
    @inline(__always) func begin(_ clock: BlueCapClock) -> Start {}
    @inline(__always) func end(
        _ operation: String, _ outcome: MeteredOutcome, since start: Start, _ clock: BlueCapClock
    ) {}
}
#endif

extension RadioMeter {
    /// The dimension `role`.
    enum Role: String {
        case central
        case peripheral
    }

    /// The kind of items that were dropped because a buffer was full, which is a dimension of the counter.
    enum Dropped: String, CaseIterable {
        case sighting
        case value
        case request
        case update
        case unit
    }

    /// The work that centrals leave unfinished when their links end, which is a dimension of the counter.
    enum Abandoned: String, CaseIterable {
        case request
        case preparedWrite = "prepared_write"
        case procedure
    }

    /// The metrics whose value goes up and down.
    enum Level: String, CaseIterable {
        case knownPeripherals = "bluecap_known_peripherals"
        case connectedPeripherals = "bluecap_connected_peripherals"
        case subscribers = "bluecap_subscribers"
        case connectedCentrals = "bluecap_connected_centrals"
        case openChannels = "bluecap_open_channels"
    }
}
