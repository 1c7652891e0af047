// SPDX-License-Identifier: MIT

/// The number of subscriptions to one attribute of a peer.
public struct PeerSubscriptions: Sendable, Hashable {
    /// The number of centrals that are subscribed now.
    public var current: Int
    /// The number of subscriptions since the peer was configured: how often a central switched the client configuration
    /// on after it was off.
    public var total: Int

    /// Creates a record of subscriptions.
    ///
    /// - Parameters:
    ///   - current: The number of centrals that are subscribed now.
    ///   - total: The number of subscriptions since the peer was configured.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}
