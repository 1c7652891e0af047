// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A UUID as it is written on the command line: `180D`, or 36 characters.
struct UUIDArgument: ExpressibleByArgument, Sendable {
    var uuid: BluetoothUUID

    init?(argument: String) {
        guard let uuid = try? BluetoothUUID(text: argument) else { return nil }
        self.uuid = uuid
    }
}
