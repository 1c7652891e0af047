// SPDX-License-Identifier: MIT

/// A central as a peripheral sees it: the device that reads, writes and subscribes.
public struct Central: Sendable, Hashable, CustomStringConvertible {
    /// The identifier of the central, where the platform reports it; nil for the one entry that stands for all
    /// subscribers together (BlueZ's `StartNotify` does not distinguish them).
    public var identifier: PeerIdentifier?
    /// The longest value that one notification to it carries, ATT_MTU − 3, where the platform says.
    public var maximumUpdateLength: Int?

    /// Creates a central, as a backend reports it.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the central; nil for all subscribers together.
    ///   - maximumUpdateLength: How many bytes one notification carries, ATT_MTU − 3; nil where the platform does not
    ///     say.
    public init(identifier: PeerIdentifier?, maximumUpdateLength: Int? = nil) {
        self.identifier = identifier
        self.maximumUpdateLength = maximumUpdateLength
    }

    /// Whether this stands for all subscribers together, because the platform does not distinguish them.
    public var isAggregate: Bool { identifier == nil }

    /// The identifier, or "all subscribers".
    public var description: String { identifier?.text ?? "all subscribers" }
}
