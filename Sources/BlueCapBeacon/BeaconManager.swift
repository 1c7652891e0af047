// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Listens for iBeacons by a central's scan: which are near and how far (ranging), and whether any of a region is there
/// at all (monitoring).
///
/// Every stream is a scan of its own, which the central merges with its others on the radio; it runs from the first
/// value that is asked for until the stream is released, its task cancelled or the central invalidated. When the radio
/// goes off a stream waits until it is on again.
///
/// It is a class and not an actor, as its only state is the list of what runs, which a lock guards: what it is asked is
/// answered at once, without an `await`.
public final class BeaconManager: Sendable {
    private let central: CentralManager
    private let clock: BlueCapClock
    private let active = Locked<[UInt64: Activity]>([:])
    private let last = Locked<UInt64>(0)

    private struct Activity {
        var region: BeaconRegion
        var isRanging: Bool
    }

    /// A manager that scans with a central.
    ///
    /// - Parameters:
    ///   - central: The central that scans; it has to be kept by the app.
    ///   - clock: The clock of intervals and delays; nil, as by default, for the central's.
    public init(central: CentralManager, clock: BlueCapClock? = nil) {
        self.central = central
        self.clock = clock ?? central.clock
    }

    /// Whether any region is ranged now.
    public var isRanging: Bool { active.withLock { $0.values.contains { $0.isRanging } } }

    /// Whether any region is monitored now.
    public var isMonitoring: Bool { active.withLock { $0.values.contains { !$0.isRanging } } }

    /// Whether a region of this identifier is ranged now.
    public func isRanging(_ identifier: String) -> Bool {
        active.withLock { $0.values.contains { $0.isRanging && $0.region.identifier == identifier } }
    }

    /// Whether a region of this identifier is monitored now.
    public func isMonitoring(_ identifier: String) -> Bool {
        active.withLock { $0.values.contains { !$0.isRanging && $0.region.identifier == identifier } }
    }

    /// The regions that are ranged or monitored now, each once.
    public var regions: [BeaconRegion] {
        var seen: Set<BeaconRegion> = []
        return active.withLock { $0.sorted { $0.key < $1.key }.map(\.value.region) }.filter { seen.insert($0).inserted }
    }

    /// The beacons of a region, nearest first, each time they change, but not more often than `interval`; beacons that
    /// were not heard for ten seconds are left out, and the last one's loss gives an empty list.
    ///
    /// Only the newest list is kept for a slow loop. The stream ends when the central is invalidated or the platform
    /// fails for good.
    public func ranging(_ region: BeaconRegion, every interval: Duration = .seconds(1)) -> AsyncStream<[Beacon]> {
        let token = begin(region, isRanging: true)
        let options = ScanOptions(allowsDuplicates: true, lostAfter: .seconds(10))
        let scan = BeaconScan(central: central, options: options)
        let run = RangingRun(region: region, interval: interval, scan: scan, clock: clock, token: token)
        return AsyncStream { await run.next() }
    }

    /// Whether any beacon of a region is there: `.start` first, then each change.
    ///
    /// A region is entered with its first beacon that is at least as strong as its ``BeaconRegion/entryRSSI``, and left
    /// when none, however weak, was heard for its ``BeaconRegion/exitDelay``. States are few and none is dropped,
    /// however slowly they are taken.
    public func monitoring(_ region: BeaconRegion) -> AsyncStream<RegionState> {
        let token = begin(region, isRanging: false)
        let run = MonitoringRun(region: region, central: central, clock: clock)
        let stream = MonitoringStream(run: run, token: token)
        return AsyncStream { await stream.next() }
    }

    private func begin(_ region: BeaconRegion, isRanging: Bool) -> ActivityToken {
        let number = last.withLock { last in
            last += 1
            return last
        }
        active.withLock { $0[number] = Activity(region: region, isRanging: isRanging) }
        return ActivityToken { [weak self] in _ = self?.active.withLock { $0.removeValue(forKey: number) } }
    }
}

/// Held by a stream for as long as it exists.
final class ActivityToken: Sendable {
    private let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
}

/// What one stream of ranging knows; its release ends the scan.
private actor RangingRun {
    private let region: BeaconRegion
    private let interval: Duration
    private let scan: BeaconScan
    private let clock: BlueCapClock
    private let token: ActivityToken
    private var list = RangedBeacons()
    private var last: Duration?

    init(region: BeaconRegion, interval: Duration, scan: sending BeaconScan, clock: BlueCapClock, token: ActivityToken)
    {
        self.region = region
        self.interval = interval
        self.scan = scan
        self.clock = clock
        self.token = token
    }

    func next() async -> [Beacon]? {
        while let event = await scan.next() {
            guard list.apply(event, region: region) else { continue }
            let now = clock.elapsed
            if let last, now - last < interval, !list.hasLost { continue }
            last = now
            return list.take()
        }
        return nil
    }
}
