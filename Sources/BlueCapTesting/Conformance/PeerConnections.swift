// SPDX-License-Identifier: MIT

/// The number of connections of a peer.
public struct PeerConnections: Sendable, Hashable {
    /// The number of present connections.
    public var current: Int
    /// The number of connections since the peer was configured, the present ones included.
    public var total: Int

    /// Creates a record of connections.
    ///
    /// - Parameters:
    ///   - current: The number of present connections.
    ///   - total: The number of connections since the peer was configured, the present ones included.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}
