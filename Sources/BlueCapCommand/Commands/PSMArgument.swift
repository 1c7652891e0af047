// SPDX-License-Identifier: MIT

import ArgumentParser

/// The number of a channel on the command line, a protocol/service multiplexer: `128` or `0x80`.
struct PSMArgument: ExpressibleByArgument, Sendable {
    var psm: UInt16

    init?(argument: String) {
        let isHexadecimal = argument.lowercased().hasPrefix("0x")
        guard let psm = UInt16(isHexadecimal ? String(argument.dropFirst(2)) : argument, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        self.psm = psm
    }

    /// Refuses a number that is out of range.
    func require(_ range: ClosedRange<UInt16>) throws {
        if !range.contains(psm) {
            throw ValidationError("--psm must be from \(range.lowerBound) to \(range.upperBound), and this is \(psm)")
        }
    }
}
