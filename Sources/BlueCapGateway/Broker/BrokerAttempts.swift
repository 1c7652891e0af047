// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
/// The attempts to connect to a broker, and the time between two of them.
struct BrokerAttempts {
    private static let first = Duration.milliseconds(250)
    private static let longest = Duration.seconds(4)
    /// A connection that ends earlier is a failed attempt: something ends each of them.
    private static let longConnection = Duration.seconds(10)
    /// Longer, because a refusal stays until settings are changed.
    static let delayAfterRefusal = Duration.seconds(30)

    /// How many there were since a connection that stood for long.
    private var count = 0
    private var connectedAt: Duration?
    /// How many connections have ended early, one after the other.
    private var shortConnections = 0

    /// The time before the next attempt.
    var delay: Duration { min(Self.first * (1 << min(max(count - 1, 0), 8)), Self.longest) }

    mutating func begin() { count += 1 }

    /// Takes the success of an attempt.
    mutating func succeed(at time: Duration) { connectedAt = time }

    /// Takes the end of a connection, or the failure of an attempt.
    ///
    /// - Returns: Whether it has ended a connection, as it did early with the two before.
    mutating func end(at time: Duration) -> Bool {
        guard let begun = connectedAt.take() else { return false }
        guard time - begun < Self.longConnection else {
            count = 0
            shortConnections = 0
            return false
        }
        shortConnections += 1
        return shortConnections >= 3
    }
}
#endif
