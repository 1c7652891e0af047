// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconCommand: AsyncParsableCommand {
    static let defaultUUID = ProximityUUID.defaultUUID

    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Be a beacon, or find out which iBeacons are near, and how far.",
        usage: "bluecap beacon advertise | range | monitor [<options>]",
        discussion: """
            EXAMPLES
              bluecap beacon advertise --major 1 --minor 7   this machine is an iBeacon
              bluecap beacon range --all                     how far beacons are
              bluecap beacon monitor office door             regions of the settings
              bluecap beacon range --backend virtual         beacons of a simulated world
              bluecap beacon advertise --help                all options

            JSON
              One object a line: of advertise event "advertising", "state" or
              "stopped", of range "beacons", of monitor "region". The help of each has
              the keys. Keys are only ever added.

            \(ToolStatus.help)
            """,
        subcommands: [BeaconAdvertiseCommand.self, BeaconRangeCommand.self, BeaconMonitorCommand.self])
}

extension BluetoothUUID {
    /// A UUID of version 4, which stands for chance (RFC 9562, 5.4).
    static func random() -> BluetoothUUID {
        var generator = SystemRandomNumberGenerator()
        let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
        return BluetoothUUID(high: high & ~0xF000 | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }
}
