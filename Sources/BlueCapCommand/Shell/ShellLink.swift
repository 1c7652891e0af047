// SPDX-License-Identifier: MIT

import BlueCap

/// A connection of a shell, distinct from a later one to the same device.
final class ShellLink: Sendable {
    let peripheral: Peripheral

    init(to peripheral: Peripheral) { self.peripheral = peripheral }
}
