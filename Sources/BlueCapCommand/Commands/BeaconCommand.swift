// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BeaconCommand: AsyncParsableCommand {
    /// The family that both commands mean when none is given, so that one finds the other.
    static let defaultUUID: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"

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

/// The UUID of a family of beacons; a beacon's frame has room for a full one only.
struct ProximityUUID: ExpressibleByArgument, Sendable {
    var uuid: BluetoothUUID

    init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    init?(argument: String) {
        guard argument.utf8.count >= 32, let uuid = try? BluetoothUUID(text: argument) else { return nil }
        self.uuid = uuid
    }

    var defaultValueDescription: String { uuid.fullDescription }
}
