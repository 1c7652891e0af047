// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The counts and times of a peripheral's connections since this manager first encountered it.
public struct PeripheralStatistics: Sendable, Hashable {
    /// The time at which the current or last connection was made.
    public internal(set) var connectedAt: Timestamp?
    /// The time at which the last connection ended.
    public internal(set) var disconnectedAt: Timestamp?
    /// The number of attempts that took longer than their timeout.
    public internal(set) var timeoutCount = 0
    /// The number of lost connections, including the connections ended because a service discovery timed out, and
    /// without forced disconnects.
    public internal(set) var disconnectionCount = 0
    /// The number of attempts to connect, including failed attempts and attempts of a ``ReconnectPolicy``.
    public internal(set) var attemptCount = 0
    /// The number of connections made.
    public internal(set) var connectionCount = 0
    /// The duration of the current connection so far, or of the last connection.
    public internal(set) var connectedDuration: Duration = .zero
    /// The total duration of all finished connections.
    public internal(set) var finishedConnectedDuration: Duration = .zero
    /// The total duration of all connections, including the current one.
    public internal(set) var cumulativeConnectedDuration: Duration = .zero
    /// The total time without a connection since the peripheral was discovered.
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
