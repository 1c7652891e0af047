// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Shows the iBeacons of a region or the beacons of all families, nearest first.
struct BeaconRangeSession: Sendable {
    struct Plan: Sendable {
        var uuid: BluetoothUUID
        var major: UInt16?
        /// Counts only beside a ``major``.
        var minor: UInt16?
        /// Whether to range the beacons of all families; the properties above then do not count.
        var isAll = false
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false

        var region: BeaconRegion { NamedRegion(name: "bluecap", uuid: uuid, major: major, minor: minor).region }
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    /// Runs until the duration is over or the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without a beacon.
    func run() async throws {
        try await central.requireRadio()
        let beacons = BeaconManager(central: central, clock: clock)
        let count = Locked(0)
        try await Race.run(for: plan.duration, on: clock) { try await show(beacons, count) }
        if count.withLock({ $0 }) == 0, !Task.isCancelled {
            throw CommandFailure(
                .tryAgain,
                plan.isAll
                    ? "no beacon was heard: 'bluecap scan' lists whatever advertises"
                    : "no iBeacon of \(plan.uuid.fullDescription) was heard: --uuid names another one, and "
                        + "'bluecap beacon range --all' shows the beacons of all families")
        }
    }

    /// - Parameter count: Counts the lists with a beacon in them that are shown.
    private func show(_ manager: BeaconManager, _ count: Locked<Int>) async throws {
        let uuid = plan.isAll ? nil : plan.uuid
        // The first list comes with the first beacon.
        if !plan.isJSON, let screen = output.screen {
            try output.draw(BeaconTable.lines([], uuid: uuid, screen: screen))
        }
        for await beacons in plan.isAll ? manager.rangingAllFamilies() : manager.ranging(plan.region) {
            if !beacons.isEmpty { count.withLock { $0 += 1 } }
            if plan.isJSON {
                try output.event(RangingEvent(beacons, uuid: uuid, date: clock.date))
            } else if let screen = output.screen {
                try output.draw(BeaconTable.lines(beacons, uuid: uuid, screen: screen))
            } else {
                for beacon in beacons { try output.line(BeaconTable.line(beacon, hasFamily: plan.isAll)) }
                if beacons.isEmpty { try output.line("none") }
            }
        }
    }
}

/// The beacons that are heard.
struct RangingEvent: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        var family: BeaconFamily
        var id: String
        var uuid: String
        var major: Int?
        var minor: Int?
        /// Of an Eddystone-UID.
        var namespace: String?
        var instance: String?
        var power: Int
        var rssi: Double?
        /// Metres.
        var distance: Double?
        var proximity: String
    }

    var event = "beacons"
    /// The UUID that is ranged; nil where those of all families are.
    var uuid: String?
    /// Nearest first.
    var beacons: [Entry]
    var date: String

    init(_ beacons: [Beacon], uuid: BluetoothUUID?, date: Timestamp) {
        self.uuid = uuid?.fullDescription
        self.date = JSONLine.date(date)
        self.beacons = beacons.map { beacon in
            let eddystone = beacon.eddystone
            return Entry(
                family: BeaconFamily(beacon.family), id: beacon.peripheral.text,
                uuid: beacon.proximityUUID.fullDescription, major: eddystone == nil ? Int(beacon.major) : nil,
                minor: eddystone == nil ? Int(beacon.minor) : nil, namespace: eddystone?.namespace,
                instance: eddystone?.instance,
                power: Int(beacon.measuredPower), rssi: beacon.rssi.map { ($0 * 10).rounded() / 10 },
                distance: beacon.accuracy.map { ($0 * 100).rounded() / 100 }, proximity: beacon.proximity.rawValue)
        }
    }
}
