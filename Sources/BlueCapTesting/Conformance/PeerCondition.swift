// SPDX-License-Identifier: MIT

/// What can be waited for at a peer. All are conditions, not moments: one that holds already needs no wait.
public enum PeerCondition: Sendable, Hashable {
    /// A central is connected.
    case connected
    /// No central is connected.
    case disconnected
    /// A request for an access is held.
    case held(PeerAttribute, PeerAccess)
    /// A central is subscribed.
    case subscribed(PeerAttribute)
    /// No central is subscribed.
    case unsubscribed(PeerAttribute)
    /// At least this many writes were taken by an attribute.
    case written(PeerAttribute, count: Int)
}
