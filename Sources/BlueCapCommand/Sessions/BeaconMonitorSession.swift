// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Prints when this machine enters and leaves regions of iBeacons.
struct BeaconMonitorSession: Sendable {
    /// The regions to monitor, and the format of the events.
    struct Plan: Sendable {
        var regions: [NamedRegion]
        /// How long none of a region's beacons is heard before it is left.
        var exitDelay = Duration.seconds(30)
        /// How strong a beacon has to be for its region to be entered, in dBm; nil for any strength.
        var entryRSSI: Int?
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Runs until the duration is over or the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without a beacon of any
    ///   region.
    func run() async throws {
        try await central.requireRadio()
        let manager = BeaconManager(central: central, clock: clock)
        let entered = Locked(false)
        try await Race.run(
            for: plan.duration, on: clock,
            plan.regions.map { named in { @Sendable in try await monitor(named, manager, entered) } })
        if !entered.withLock({ $0 }), !Task.isCancelled {
            throw CommandFailure(
                .tryAgain,
                "no region was entered: 'bluecap beacon range' shows the beacons that are heard, and 'bluecap scan' those "
                    + "of other families")
        }
    }

    /// - Parameter entered: Becomes true when the region is entered.
    private func monitor(_ named: NamedRegion, _ manager: BeaconManager, _ entered: Locked<Bool>) async throws {
        var region = named.region
        region.exitDelay = plan.exitDelay
        region.entryRSSI = plan.entryRSSI
        for await state in manager.monitoring(region) {
            if state == .inside { entered.withLock { $0 = true } }
            let event = RegionEvent(
                region: named.name, uuid: named.uuid.fullDescription, major: named.major.map(Int.init),
                minor: named.minor.map(Int.init), state: state.rawValue, date: JSONLine.date(clock.date))
            try output.line(
                plan.isJSON
                    ? JSONLine.text(event)
                    : "\(TextLayout.pad(Self.word(state), to: 10))  \(TextLayout.printable(named.name))  \(named.details)"
            )
        }
    }

    private static func word(_ state: RegionState) -> String { state == .start ? "monitoring" : state.rawValue }
}

/// A change of a region of beacons, as `beacon monitor` prints it.
struct RegionEvent: Encodable, Sendable {
    var event = "region"
    var region: String
    var uuid: String
    var major: Int?
    var minor: Int?
    /// `"start"`, `"inside"`, `"outside"` or `"unknown"`.
    var state: String
    var date: String
}
