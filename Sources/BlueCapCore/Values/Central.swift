// SPDX-License-Identifier: MIT

/// A central as a peripheral sees it: who reads, writes and subscribes.
public struct Central: Sendable, Hashable, CustomStringConvertible {
    /// Which central, where the platform says; nil for the one entry that stands for all subscribers together (BlueZ's
    /// `StartNotify` does not tell them apart).
    public var identifier: PeerIdentifier?
    /// The longest value that one notification to it carries, ATT_MTU − 3, where the platform says.
    public var maximumUpdateLength: Int?

    /// A central.
    public init(identifier: PeerIdentifier?, maximumUpdateLength: Int? = nil) {
        self.identifier = identifier
        self.maximumUpdateLength = maximumUpdateLength
    }

    /// Whether this stands for all subscribers together, because the platform does not tell them apart.
    public var isAggregate: Bool { identifier == nil }

    /// The identifier, or "all subscribers".
    public var description: String { identifier?.text ?? "all subscribers" }
}
