// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// One write that a peer took.
public struct PeerWrite: Sendable, Hashable {
    /// How it came.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A Write Request, or prepared writes.
        case request
        /// A Write Command.
        case command
    }

    /// The whole value.
    public var value: Bytes
    /// How it came.
    public var kind: Kind

    /// Creates a write.
    public init(_ value: Bytes, kind: Kind) {
        self.value = value
        self.kind = kind
    }
}
