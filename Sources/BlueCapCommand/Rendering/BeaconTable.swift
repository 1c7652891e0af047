// SPDX-License-Identifier: MIT

import BlueCap

/// iBeacons as lines of text.
enum BeaconTable {
    private static let heading = "DISTANCE  PROXIMITY  SIGNAL      MAJOR  MINOR  ID"

    /// A heading and a line for each beacon, within the size of the screen.
    static func lines(_ beacons: [Beacon], uuid: BluetoothUUID, screen: ScreenSize) -> [String] {
        let title = "\(uuid.fullDescription): \(beacons.count) heard, Ctrl-C ends it"
        let lines = [title, heading] + beacons.prefix(max(screen.rows - 4, 1)).map(line)
        return lines.map { TextLayout.truncate($0, to: screen.columns) }
    }

    /// Distance, proximity, smoothed signal strength, numbers and identifier of one beacon.
    static func line(_ beacon: Beacon) -> String {
        let distance = beacon.accuracy.map { "\(TextLayout.decimal($0, digits: $0 < 10 ? 1 : 0)) m" } ?? "?"
        let signal = SignalBars.text(beacon.rssi.map { Int($0.rounded()) })
        return [
            TextLayout.pad(distance, to: 8, alignment: .right), TextLayout.pad(beacon.proximity.rawValue, to: 9),
            signal, TextLayout.pad(String(beacon.major), to: 5, alignment: .right),
            TextLayout.pad(String(beacon.minor), to: 5, alignment: .right), beacon.peripheral.text,
        ].joined(separator: "  ")
    }
}
