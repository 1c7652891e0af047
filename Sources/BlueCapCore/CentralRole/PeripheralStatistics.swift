// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Counts and times of a peripheral's connections, since this manager first met it.
public struct PeripheralStatistics: Sendable, Hashable {
    /// When the current or last connection was made.
    public internal(set) var connectedAt: Timestamp?
    /// When the last connection ended.
    public internal(set) var disconnectedAt: Timestamp?
    /// How many attempts took longer than their timeout.
    public internal(set) var timeoutCount = 0
    /// How many connections were lost, forced disconnects not counted; a service discovery that timed out is.
    public internal(set) var disconnectionCount = 0
    /// How many attempts to connect were made, failed ones and those of a ``ReconnectPolicy`` included.
    public internal(set) var attemptCount = 0
    /// How many connections were made.
    public internal(set) var connectionCount = 0
    /// How long the current connection has stood, or the last one stood.
    public internal(set) var connectedDuration: Duration = .zero
    /// How long all finished connections stood.
    public internal(set) var finishedConnectedDuration: Duration = .zero
    /// How long all connections have stood, the current one included.
    public internal(set) var cumulativeConnectedDuration: Duration = .zero
    /// How long there was no connection, since the peripheral was discovered.
    public internal(set) var cumulativeDisconnectedDuration: Duration = .zero
}

extension PeripheralStatistics: CustomStringConvertible {
    /// The counts: `3 attempts, 2 connections, 1 timeout, 1 disconnection`.
    public var description: String {
        let counts = [
            (attemptCount, "attempt"), (connectionCount, "connection"), (timeoutCount, "timeout"),
            (disconnectionCount, "disconnection"),
        ]
        return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}
