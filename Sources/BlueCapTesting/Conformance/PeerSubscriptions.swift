// SPDX-License-Identifier: MIT

/// What a peer knows of subscriptions to one attribute.
public struct PeerSubscriptions: Sendable, Hashable {
    /// How many centrals are subscribed now.
    public var current: Int
    /// How often one subscribed (the configuration was written on after it was off).
    public var total: Int

    /// Counts.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}
