// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// Follows the beacons of one region, or all.
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
        var last: Duration?
        while let event = await scan.next() {
            let now = clock.elapsed
            guard list.apply(event, region: region, at: now) else { continue }
            if let last, now - last < interval, !list.hasLost { continue }
            last = now
            elements.push(list.take())
        }
    }
}
