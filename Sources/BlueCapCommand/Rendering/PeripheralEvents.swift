// SPDX-License-Identifier: MIT

import BlueCap

/// What happens at an emulated peripheral.
struct PeripheralRoleEvent: Encodable, Sendable {
    var event: String
    var name: String?
    var services: [String]?
    /// Which central, where the platform says.
    var central: String?
    var characteristic: String?
    /// Hexadecimal digits.
    var value: String?
    /// The value in the words of its characteristic's type.
    var text: String?
    /// Why something was refused.
    var error: String?
}

/// An iBeacon that is advertised.
struct BeaconAdvertisingEvent: Encodable, Sendable {
    var event = "advertising"
    var uuid: String
    var major: Int
    var minor: Int
    var power: Int
    /// The manufacturer data behind the company identifier, in hexadecimal digits.
    var data: String
}

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
