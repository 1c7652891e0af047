// SPDX-License-Identifier: MIT

import BlueCap

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
        let entered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for named in plan.regions {
                group.addTask { try await monitor(named, manager) }
            }
            if let duration = plan.duration {
                group.addTask {
                    try? await clock.sleep(for: duration)
                    return false
                }
            }
            var entered = false
            // The first to end ends the others.
            while let found = try await group.next() {
                group.cancelAll()
                entered = entered || found
            }
            return entered
        }
        if !entered, !Task.isCancelled {
            throw CommandFailure(
                .tryAgain,
                "no region was entered: 'bluecap beacon range' shows the beacons that are heard, and 'bluecap scan' those "
                    + "of other families")
        }
    }

    /// - Returns: Whether the region was entered.
    private func monitor(_ named: NamedRegion, _ manager: BeaconManager) async throws -> Bool {
        var region = named.region
        region.exitDelay = plan.exitDelay
        region.entryRSSI = plan.entryRSSI
        var entered = false
        for await state in manager.monitoring(region) {
            if state == .inside { entered = true }
            let event = RegionEvent(
                region: named.name, uuid: named.uuid.fullDescription, major: named.major.map(Int.init),
                minor: named.minor.map(Int.init), state: state.rawValue, date: JSONLine.date(clock.date))
            try output.line(
                plan.isJSON
                    ? JSONLine.text(event)
                    : "\(TextLayout.pad(Self.word(state), to: 10))  \(TextLayout.printable(named.name))  \(named.details)"
            )
        }
        return entered
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
