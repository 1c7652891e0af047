// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// Follows one region from the first `begin` until the end, whether or not the states are consumed meanwhile: a slow
/// consumer must not miss that the last device went and one came back.
///
/// It runs on the central's executor, so that sightings and the passing of time are seen in the order of the radio.
actor MonitoringRun: RadioActor, BeaconRun {
    nonisolated let elements = Mailbox<RegionState, Never>(capacity: .unbounded)
    nonisolated let executor: any BackendExecutor
    nonisolated let task = Locked(BeaconTask.waiting)
    /// The newest state, consumed or not; nil before the first.
    nonisolated let state = Locked<RegionState?>(nil)
    private let central: CentralManager
    private let clock: BlueCapClock
    private let waitsForRadio: Bool
    private let region: DiscoveryRegion
    private var watch: RegionWatch
    /// The timer for the deadline of the watch, or for an earlier deadline that a heard device has moved on.
    private var alarm: (deadline: Duration, timer: ClockTimer)?

    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(region: DiscoveryRegion, central: CentralManager, clock: BlueCapClock, waitsForRadio: Bool = true) {
        self.waitsForRadio = waitsForRadio
        executor = central.executor
        self.region = region
        watch = RegionWatch(region)
        self.central = central
        self.clock = clock
    }

    func follow() async {
        // The watch finds losses: a device that still sends, but does not pass the region's test any more, is lost to
        // it too.
        let scan = BeaconScan(
            central: central, options: ScanOptions(allowsDuplicates: true, lostAfter: nil), waitsForRadio: waitsForRadio
        )
        report(watch.start())
        while let event = await scan.next() {
            switch event {
            case .began: report(watch.radioOn(at: clock.elapsed))
            case .radioOff: report(watch.radioOff())
            case .sighted(let discovery):
                guard discovery.kind != .lost, region.contains(discovery) else { continue }
                report(watch.heard(rssi: discovery.rssi, at: clock.elapsed))
            }
        }
        alarm?.timer.cancel()
    }

    private func report(_ state: RegionState?) {
        if let state {
            self.state.withLock { $0 = state }
            elements.push(state)
        }
        if watch.deadline == nil {
            alarm?.timer.cancel()
            alarm = nil
        } else if alarm == nil {
            setAlarm()
        }
    }

    /// Sets the timer, which serves many deadlines: a heard device moves the deadline, and the timer is set again only
    /// when it rings.
    private func setAlarm() {
        guard let deadline = watch.deadline else { return }
        let timer = clock.schedule(after: deadline - clock.elapsed) { [weak self] in
            self?.later { $0.ring(deadline) }
        }
        alarm = (deadline, timer)
    }

    private func ring(_ deadline: Duration) {
        guard alarm?.deadline == deadline else { return }
        alarm = nil
        let now = clock.elapsed
        report(watch.check(at: now, absencesShowSince: central.absencesShowFor.map { now - $0 }))
    }
}
