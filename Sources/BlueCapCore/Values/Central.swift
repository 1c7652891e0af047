// SPDX-License-Identifier: MIT

/// A central as a peripheral sees it: the device that reads, writes and subscribes.
public struct Central: Sendable, Hashable, CustomStringConvertible {
    /// The identifier of the central; nil if the platform does not report it.
    ///
    /// A value without an identifier stands for all subscribers together, because BlueZ's `StartNotify` does not
    /// distinguish them.
    public var identifier: PeerIdentifier?
    /// The maximum number of bytes in a notification to the central, ATT_MTU − 3; nil if the platform does not report
    /// it.
    public var maximumUpdateLength: Int?
    /// The security of the link to the central; nil if the platform does not report it.
    ///
    /// With a request it is the security at the time of the request. CoreBluetooth never reports it. BlueZ reports it
    /// as far as it follows from the pairing and from the permissions of the attributes that the central has used.
    public var security: LinkSecurity?

    /// Creates a central, as a backend reports it.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the central; nil for all subscribers together.
    ///   - maximumUpdateLength: The maximum number of bytes in a notification, ATT_MTU − 3; nil if the platform does
    ///     not report it.
    ///   - security: The security of the link; nil if the platform does not report it.
    public init(identifier: PeerIdentifier?, maximumUpdateLength: Int? = nil, security: LinkSecurity? = nil) {
        self.identifier = identifier
        self.maximumUpdateLength = maximumUpdateLength
        self.security = security
    }

    /// A Boolean value that is true if this value stands for all subscribers together, because the platform does not
    /// distinguish them.
    public var isAggregate: Bool { identifier == nil }

    /// The identifier, or "all subscribers".
    public var description: String { identifier?.text ?? "all subscribers" }
}
