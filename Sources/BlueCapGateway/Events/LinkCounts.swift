// SPDX-License-Identifier: MIT

#if Gateway
/// Numbers of events of connections to devices.
package struct LinkCounts: Hashable, Sendable {
    /// Failures of connections and of readings.
    package var failures = 0
    /// Values that were written, and values that were not.
    package var written = 0
    package var notWritten = 0
    /// Messages that were no commands, or not allowed.
    package var refused = 0
}

/// How many devices stay connected.
package struct LinkLevels: Hashable, Sendable {
    /// The devices that are connected now.
    package var connected = 0
    /// The devices that should be connected, by the rules and within a group by their owner.
    package var wanted = 0
}
#endif
