// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// Follows the beacons of one region, or of all families.
final class RangingRun: BeaconRun {
    let elements = Mailbox<[Beacon], Never>(capacity: .newest(1))
    let task = Locked(BeaconTask.waiting)
    private let region: BeaconRegion?
    private let interval: Duration
    private let central: CentralManager
    private let clock: BlueCapClock

    init(region: BeaconRegion?, interval: Duration, central: CentralManager, clock: BlueCapClock) {
        self.region = region
        self.interval = interval
        self.central = central
        self.clock = clock
    }

    func follow() async {
        let options = ScanOptions(allowsDuplicates: true, lostAfter: RangedBeacons.patience)
        let scan = BeaconScan(central: central, options: options)
        var list = RangedBeacons()
        var pace = RangingPace(interval: interval)
        while let event = await scan.next() {
            let now = clock.elapsed
            guard take(event, into: &list, at: now) else { continue }
            if pace.isDue(hasLost: list.hasLost, isEmpty: list.isEmpty, at: now) { elements.push(list.take()) }
        }
    }

    /// Takes an event into the list; false if it changes no beacon of the region, or without a region of any family.
    private func take(_ event: BeaconScan.Event, into list: inout RangedBeacons, at now: Duration) -> Bool {
        guard case .sighted(let discovery) = event else { return list.loseAll() }
        let peripheral = discovery.peripheral.identifier
        if discovery.kind == .lost { return list.lose(peripheral, at: now) }
        return list.hear(
            discovery.advertisements, from: peripheral, rssi: discovery.rssi, date: discovery.date, region: region,
            at: now)
    }
}

/// Decides when a list is due, because a list costs as many steps as there are beacons: one in each interval, one for
/// the first loss in an interval, and an empty one.
struct RangingPace {
    let interval: Duration
    private var last: Duration?
    private var lastLoss: Duration?

    init(interval: Duration) { self.interval = interval }

    mutating func isDue(hasLost: Bool, isEmpty: Bool, at now: Duration) -> Bool {
        let isTime = last.map { now - $0 >= interval } ?? true
        let isFirstLoss = hasLost && (isEmpty || lastLoss.map { now - $0 >= interval } ?? true)
        guard isTime || isFirstLoss else { return false }
        if hasLost { lastLoss = now }
        last = now
        return true
    }
}
