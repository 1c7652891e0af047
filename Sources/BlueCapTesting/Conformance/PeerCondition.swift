// SPDX-License-Identifier: MIT

/// A condition of a peer for which a test can wait. A condition that holds already needs no wait.
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
    /// An attribute has accepted at least this many writes.
    case written(PeerAttribute, count: Int)
}
