// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconCommand: AsyncParsableCommand {
    static let defaultUUID = ProximityUUID.defaultUUID

    static let configuration = CommandConfiguration(
        commandName: "beacon", abstract: "Be a beacon, or find out which iBeacons are near, and how far.",
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
