// SPDX-License-Identifier: MIT

import BlueCap

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
