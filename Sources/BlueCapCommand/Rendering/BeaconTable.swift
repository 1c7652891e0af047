// SPDX-License-Identifier: MIT

import BlueCap

/// Beacons as lines of text.
enum BeaconTable {
    /// A heading and a line for each beacon, within the size of the screen.
    ///
    /// - Parameters:
    ///   - beacons: The beacons, nearest first.
    ///   - uuid: The UUID that is ranged; nil for the beacons of all families, where each line names the family.
    ///   - screen: The size.
    static func lines(_ beacons: [Beacon], uuid: BluetoothUUID?, screen: ScreenSize) -> [String] {
        let title = "\(uuid?.fullDescription ?? "All beacons"): \(beacons.count) heard, Ctrl-C ends it"
        let heading =
            uuid == nil
            ? "DISTANCE  PROXIMITY  SIGNAL      ID                 FAMILY     BEACON"
            : "DISTANCE  PROXIMITY  SIGNAL      MAJOR  MINOR  ID"
        let lines = beacons.prefix(max(screen.rows - 4, 1)).map { line($0, hasFamily: uuid == nil) }
        return ([title, heading] + lines).map { TextLayout.truncate($0, to: screen.columns) }
    }

    /// Distance, proximity and smoothed signal strength of one beacon; behind them its numbers and identifier or, with
    /// the family, its identifier, family and numbers.
    static func line(_ beacon: Beacon, hasFamily: Bool = false) -> String {
        let distance = beacon.accuracy.map { "\(TextLayout.decimal($0, digits: $0 < 10 ? 1 : 0)) m" } ?? "?"
        let place = [
            TextLayout.pad(distance, to: 8, alignment: .right), TextLayout.pad(beacon.proximity.rawValue, to: 9),
            // WIDTH: an average of signal strengths.
            SignalBars.text(beacon.rssi.map { Int($0.rounded()) }),
        ]
        let numbers = [beacon.major, beacon.minor].map { TextLayout.pad(String($0), to: 5, alignment: .right) }
        let fields =
            hasFamily
            ? [beacon.peripheral.text, TextLayout.pad(beacon.kind, to: 9), beacon.number]
            : numbers + [beacon.peripheral.text]
        return (place + fields).joined(separator: "  ")
    }
}

extension Beacon {
    /// The two parts of an Eddystone-UID, as hexadecimal digits; nil for the other families.
    var eddystone: (namespace: String, instance: String)? {
        guard family == .eddystoneUID else { return nil }
        let digits = proximityUUID.fullDescription.filter { $0 != "-" }
        return (String(digits.prefix(20)), String(digits.dropFirst(20)))
    }

    /// The family's name, as in a decoded advertisement of a scan.
    fileprivate var kind: String {
        switch family {
        case .iBeacon: "iBeacon"
        case .altBeacon: "AltBeacon"
        case .eddystoneUID: "Eddystone"
        }
    }

    /// The identifier of the beacon within its family.
    fileprivate var number: String {
        if let eddystone { return "\(eddystone.namespace)/\(eddystone.instance)" }
        return "\(major)/\(minor) \(proximityUUID.fullDescription)"
    }
}
