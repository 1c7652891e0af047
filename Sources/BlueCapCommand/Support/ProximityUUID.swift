// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The UUID of a family of beacons; a beacon's frame has room for a full one only.
struct ProximityUUID: ExpressibleByArgument, Sendable {
    /// The family that the commands mean when none is given, so that one finds the other.
    static let defaultUUID: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"

    var uuid: BluetoothUUID

    init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    init?(argument: String) {
        guard argument.utf8.count >= 32, let uuid = try? BluetoothUUID(text: argument) else { return nil }
        self.uuid = uuid
    }

    var defaultValueDescription: String { uuid.fullDescription }
}
