// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A write that a peer accepted.
public struct PeerWrite: Sendable, Hashable {
    /// The kind of ATT operation of a write.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A Write Request, or prepared writes.
        case request
        /// A Write Command.
        case command
    }

    /// The whole value that was written.
    public var value: Bytes
    /// The kind of ATT operation.
    public var kind: Kind

    /// Creates a record of a write.
    ///
    /// - Parameters:
    ///   - value: The whole value that was written.
    ///   - kind: The kind of ATT operation.
    public init(_ value: Bytes, kind: Kind) {
        self.value = value
        self.kind = kind
    }
}
