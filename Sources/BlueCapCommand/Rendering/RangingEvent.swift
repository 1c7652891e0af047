// SPDX-License-Identifier: MIT

import BlueCap

/// The iBeacons that are heard.
struct RangingEvent: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
        var id: String
        var major: Int
        var minor: Int
        var power: Int
        var rssi: Double?
        /// Metres.
        var distance: Double?
        var proximity: String
    }

    var event = "beacons"
    var uuid: String
    /// Nearest first.
    var beacons: [Entry]
    var date: String

    init(_ beacons: [Beacon], uuid: BluetoothUUID, date: Timestamp) {
        self.uuid = uuid.fullDescription
        self.date = JSONLine.date(date)
        self.beacons = beacons.map { beacon in
            Entry(
                id: beacon.peripheral.text, major: Int(beacon.major), minor: Int(beacon.minor),
                power: Int(beacon.measuredPower), rssi: beacon.rssi.map { ($0 * 10).rounded() / 10 },
                distance: beacon.accuracy.map { ($0 * 100).rounded() / 100 }, proximity: beacon.proximity.rawValue)
        }
    }
}
