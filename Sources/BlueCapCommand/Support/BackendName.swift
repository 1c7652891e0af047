// SPDX-License-Identifier: MIT

import ArgumentParser

/// Which radio a command uses.
enum BackendName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case bluez
    case virtual
}
