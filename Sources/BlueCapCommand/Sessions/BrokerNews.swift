// SPDX-License-Identifier: MIT

/// Which changes of the connection with a broker are printed: each once, and not each attempt.
///
/// A broker that ends each connection would fill the log for as long as it does. After a connection that has ended
/// early, the next one is printed when it has stood for ``longConnection``.
struct BrokerNews: Sendable {
    /// A connection that ends earlier is a failed attempt.
    static let longConnection = Duration.seconds(10)
    /// No more reasons are remembered than these.
    private static let maximumReasons = 16

    /// The last connection that was printed, and all that came since.
    private var printed: Set<BrokerEvent> = []
    private var connectedAt: Duration?
    private var wasShort = false
    /// The connection of now, where it was not printed.
    private var held: BrokerEvent?
    /// The topics that the broker does not allow; there are no more of them than filters.
    private var denied: Set<BrokerEvent> = []

    init() {}

    /// Takes a change, which has no date yet.
    ///
    /// - Returns: Whether it is to be printed now.
    mutating func isNew(_ event: BrokerEvent, at time: Duration) -> Bool {
        if event.state == .connected {
            // A broker that is asked for its messages again is as one that was just connected to.
            if connectedAt != nil { return false }
            connectedAt = time
            if wasShort {
                held = event
                return false
            }
            printed = [event]
            return true
        }
        if event.state == .unsubscribed { return denied.insert(event).inserted }
        if let begun = connectedAt.take() {
            (wasShort, held) = (time - begun < Self.longConnection, nil)
        }
        return printed.count < Self.maximumReasons && printed.insert(event).inserted
    }

    /// The connection that is to be printed now, as it has lasted; to be called about once a second.
    mutating func lasting(at time: Duration) -> BrokerEvent? {
        guard let connectedAt, time - connectedAt >= Self.longConnection, let event = held.take() else { return nil }
        printed = [event]
        return event
    }
}
