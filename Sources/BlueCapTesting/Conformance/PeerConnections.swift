// SPDX-License-Identifier: MIT

/// What a peer knows of its connections.
public struct PeerConnections: Sendable, Hashable {
    /// How many there are now.
    public var current: Int
    /// How many there were since it was configured, the current ones included.
    public var total: Int

    /// Counts.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}
