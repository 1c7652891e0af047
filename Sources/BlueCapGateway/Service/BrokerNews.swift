// SPDX-License-Identifier: MIT

#if Gateway
/// Which changes of the connection with a broker are reported: each once, and not each attempt.
///
/// A broker that ends each connection would fill the log for as long as it does. After a connection that has ended
/// early, the next one is reported when it has stood for ``longConnection``.
struct BrokerNews: Sendable {
    /// A connection that ends earlier is a failed attempt.
    static let longConnection = Duration.seconds(10)
    /// No more reasons are remembered than these.
    private static let maximumReasons = 16

    /// The last connection that was reported, and all that came since.
    private var reported: Set<GatewayEvent> = []
    private var connectedAt: Duration?
    private var wasShort = false
    /// Whether the connection of now was not reported.
    private var isHeld = false
    /// The topics that the broker does not allow; there are no more of them than filters.
    private var denied: Set<GatewayEvent> = []

    init() {}

    /// Takes a change.
    ///
    /// - Returns: Whether it is to be reported now.
    mutating func isNew(_ event: GatewayEvent, at time: Duration) -> Bool {
        if event == .brokerConnected {
            // A broker that is asked for its messages again is as one that was just connected to.
            if connectedAt != nil { return false }
            connectedAt = time
            isHeld = wasShort
            if !isHeld { reported = [event] }
            return !isHeld
        }
        if case .topicDenied = event { return denied.insert(event).inserted }
        if let begun = connectedAt.take() {
            (wasShort, isHeld) = (time - begun < Self.longConnection, false)
        }
        return reported.count < Self.maximumReasons && reported.insert(event).inserted
    }

    /// The connection that is to be reported now, as it has lasted; to be called about once a second.
    mutating func lasting(at time: Duration) -> GatewayEvent? {
        guard isHeld, let connectedAt, time - connectedAt >= Self.longConnection else { return nil }
        isHeld = false
        reported = [.brokerConnected]
        return .brokerConnected
    }
}
#endif
