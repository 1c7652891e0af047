// SPDX-License-Identifier: MIT

import ArgumentParser

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
