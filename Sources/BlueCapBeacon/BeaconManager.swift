// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// A class that listens for iBeacons by a central's scan: for the beacons that are near and their distance (ranging),
/// and for the presence of any beacon of a region (monitoring). It also monitors any other device that advertises.
///
/// Every stream is a scan of its own, which the central merges with its others on the radio; it runs from the first
/// request for a value until the stream is released, its task cancelled or the central invalidated. When the radio goes
/// off a stream waits until it is on again.
///
/// It is a class and not an actor, because its only state is the list of running streams, which a lock guards: its
/// properties answer at once, without an `await`.
public final class BeaconManager: Sendable {
    private let central: CentralManager
    private let clock: BlueCapClock
    private let activities = Locked<OrderedTable<UInt64, Activity>>([:])
    private let last = Locked<UInt64>(0)

    /// A stream that is not released and was not stopped.
    private struct Activity {
        /// Nil for ranging of all families.
        var identifier: String?
        /// Nil for ranging of all families, and for monitoring of devices other than iBeacons.
        var region: BeaconRegion?
        var isRanging: Bool
        var state: @Sendable () -> RegionState?
        var end: @Sendable () -> Void
    }

    /// Creates a manager that scans with a central.
    ///
    /// - Parameters:
    ///   - central: The central that scans; the app has to keep it.
    ///   - clock: The clock of intervals and delays; nil, as by default, for the central's.
    public init(central: CentralManager, clock: BlueCapClock? = nil) {
        self.central = central
        self.clock = clock ?? central.clock
    }

    // MARK: Running streams

    /// A Boolean value that is true if any beacons are ranged now.
    public var isRanging: Bool { !all { $0.isRanging }.isEmpty }

    /// A Boolean value that is true if any region is monitored now.
    public var isMonitoring: Bool { !all { !$0.isRanging }.isEmpty }

    /// Returns whether a region with this identifier is ranged now.
    public func isRanging(_ identifier: String) -> Bool { !all { $0.isRanging && $0.identifier == identifier }.isEmpty }

    /// Returns whether a region with this identifier is monitored now.
    public func isMonitoring(_ identifier: String) -> Bool {
        !all { !$0.isRanging && $0.identifier == identifier }.isEmpty
    }

    /// The regions of iBeacons that are ranged or monitored now, each once, in the order in which their streams began.
    public var regions: [BeaconRegion] { regions { _ in true } }

    /// The regions that are ranged now, each once.
    public var rangedRegions: [BeaconRegion] { regions { $0.isRanging } }

    /// The regions of iBeacons that are monitored now, each once.
    public var monitoredRegions: [BeaconRegion] { regions { !$0.isRanging } }

    /// Returns the region with this identifier that is ranged or monitored now, the first if several have it; nil if
    /// there is none.
    public func region(withIdentifier identifier: String) -> BeaconRegion? {
        regions.first { $0.identifier == identifier }
    }

    private func all(_ isMeant: (Activity) -> Bool) -> [Activity] {
        activities.withLock { $0.values.filter(isMeant) }
    }

    private func regions(_ isMeant: (Activity) -> Bool) -> [BeaconRegion] {
        var seen: Set<BeaconRegion> = []
        return all(isMeant).compactMap(\.region).filter { seen.insert($0).inserted }
    }

    // MARK: Ranging

    /// Returns the beacons of a region, nearest first, each time they change.
    ///
    /// Lists come no more often than `interval`, except when a beacon is lost: beacons that were not heard for ten
    /// seconds are left out at once, and the loss of the last one gives an empty list. Other changes within the
    /// interval, a second loss too, are in the next list, which comes with a later packet.
    ///
    /// Only the newest list is kept for a slow loop. The stream ends when the central is invalidated or the platform
    /// fails for good.
    ///
    /// - Parameters:
    ///   - region: The region of iBeacons to range.
    ///   - interval: The shortest time between two lists.
    public func ranging(_ region: BeaconRegion, every interval: Duration = .seconds(1)) -> AsyncStream<[Beacon]> {
        range(region, interval)
    }

    /// Returns the beacons of all families at once, with any UUID: iBeacons, AltBeacons and Eddystone-UIDs, which
    /// ``Beacon/family`` distinguishes. Otherwise as ``ranging(_:every:)``.
    public func rangingAllFamilies(every interval: Duration = .seconds(1)) -> AsyncStream<[Beacon]> {
        range(nil, interval)
    }

    private func range(_ region: BeaconRegion?, _ interval: Duration) -> AsyncStream<[Beacon]> {
        let run = RangingRun(region: region, interval: interval, central: central, clock: clock)
        let token = begin(
            Activity(
                identifier: region?.identifier, region: region, isRanging: true, state: { nil }, end: { run.end() }))
        return BeaconStream(run: run, executor: central.executor, token: token).stream
    }

    /// Ends the streams that range a region with this identifier, after the list that they have buffered.
    public func stopRanging(_ identifier: String) {
        stop { $0.isRanging && $0.identifier == identifier }
    }

    /// Ends all streams of ranging, those of all families included.
    public func stopRangingAllRegions() { stop { $0.isRanging } }

    // MARK: Monitoring

    /// Returns the states of a region of beacons: `.start` first, then each change.
    ///
    /// A region is entered with its first beacon that is at least as strong as its ``BeaconRegion/entryRSSI``, and left
    /// when no beacon, however weak, was heard for its ``BeaconRegion/exitDelay``. States are few, and a slow loop
    /// misses none of them.
    ///
    /// The scan is active, without `SignalThresholds`: by those a beacon is found a second after its first strong
    /// packet at the soonest, and on BlueZ they need `bluetoothd -E`, so that a region would be entered by other rules
    /// there. A program that wants them scans by `ScanMode.passive` itself: that scan discovers and loses each beacon
    /// by them.
    public func monitoring(_ region: BeaconRegion) -> AsyncStream<RegionState> {
        monitor(DiscoveryRegion(region), region)
    }

    /// Returns the states of a region of any devices: `.start` first, then each change, as for a ``BeaconRegion``, by
    /// ``DiscoveryRegion/entryRSSI`` and ``DiscoveryRegion/exitDelay``.
    public func monitoring(_ region: DiscoveryRegion) -> AsyncStream<RegionState> { monitor(region, nil) }

    private func monitor(_ region: DiscoveryRegion, _ beacons: BeaconRegion?) -> AsyncStream<RegionState> {
        let run = MonitoringRun(region: region, central: central, clock: clock)
        let token = begin(
            Activity(
                identifier: region.identifier, region: beacons, isRanging: false,
                state: { run.state.withLock { $0 } }, end: { run.end() }))
        return BeaconStream(run: run, executor: central.executor, token: token).stream
    }

    /// Ends the streams that monitor a region with this identifier, after the states that they have buffered.
    public func stopMonitoring(_ identifier: String) {
        stop { !$0.isRanging && $0.identifier == identifier }
    }

    /// Ends all streams of monitoring.
    public func stopMonitoringAllRegions() { stop { !$0.isRanging } }

    /// Returns the last known state of the monitored region with this identifier; nil if none is monitored, and before
    /// the first state was requested from its stream.
    public func state(_ identifier: String) -> RegionState? {
        all { !$0.isRanging && $0.identifier == identifier }.lazy.compactMap { $0.state() }.first
    }

    /// Finds out whether a beacon of a region is near.
    ///
    /// If the region is monitored and its state is known, that state is returned. Otherwise this listens until a beacon
    /// enters the region, or ``BeaconRegion/exitDelay`` has passed without one.
    ///
    /// - Returns: `.inside` or `.outside`; `.unknown` while the radio is off, when it goes off, for a cancelled task,
    ///   and when the central is invalidated.
    public func requestState(for region: BeaconRegion) async -> RegionState {
        let known = all { !$0.isRanging && $0.region == region }.compactMap { $0.state() }
        if let state = known.first(where: { $0 == .inside || $0 == .outside }) { return state }
        return await requestState(for: DiscoveryRegion(region))
    }

    /// Finds out whether a device of a region is near.
    ///
    /// This listens until a device enters the region, or ``DiscoveryRegion/exitDelay`` has passed without one.
    ///
    /// - Returns: `.inside` or `.outside`; `.unknown` while the radio is off, when it goes off, for a cancelled task,
    ///   and when the central is invalidated.
    public func requestState(for region: DiscoveryRegion) async -> RegionState {
        // The state of a radio is known a moment after its manager is made.
        guard await central.states().first(where: { $0 != .unknown }) == .poweredOn else { return .unknown }
        let run = MonitoringRun(region: region, central: central, clock: clock, waitsForRadio: false)
        let states = BeaconStream(run: run, executor: central.executor, token: nil).stream
        return await states.first { $0 != .start } ?? .unknown
    }

    // MARK: Begin and end

    private func begin(_ activity: Activity) -> ActivityToken {
        let number = last.withLock { last in
            last += 1
            return last
        }
        activities.withLock { $0[number] = activity }
        return ActivityToken { [weak self] in
            // Released outside of the lock.
            let ended = self?.activities.withLock { $0.removeValue(forKey: number) }
            withExtendedLifetime(ended) {}
        }
    }

    private func stop(_ isMeant: (Activity) -> Bool) {
        let stopped = activities.withLock { activities in
            let stopped = activities.filter { isMeant($0.value) }
            for (number, _) in stopped { activities[number] = nil }
            return stopped
        }
        for (_, activity) in stopped { activity.end() }
    }
}

/// A token that a stream holds for as long as it exists.
final class ActivityToken: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
}
