// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A UUID as it is written on the command line: `180D`, or 36 characters.
struct UUIDArgument: ExpressibleByArgument, Sendable {
    var uuid: BluetoothUUID

    init?(argument: String) {
        guard let uuid = try? BluetoothUUID(argument) else { return nil }
        self.uuid = uuid
    }
}

extension ScanOrder: ExpressibleByArgument {}

/// A time as it is written on the command line: seconds, with a fraction if need be.
struct Seconds: ExpressibleByArgument, Sendable {
    var duration: Duration

    init?(argument: String) {
        guard let seconds = Double(argument), seconds >= 0, seconds <= 1e9 else { return nil }
        duration = .milliseconds(Int64((seconds * 1000).rounded()))
    }

    init(_ seconds: Int) { duration = .seconds(seconds) }

    var defaultValueDescription: String { "\(duration.components.seconds)" }
}
