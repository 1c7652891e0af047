// SPDX-License-Identifier: MIT

package import BlueCapSerDe

/// The security of a link: the levels of LE security mode 1 (Core Specification, Vol 3, Part C, 10.2.1).
package enum SecurityLevel: UInt8, Sendable, Hashable, Comparable {
    /// The link is not encrypted.
    case open = 1
    /// Encrypted with a key that was not authenticated, as by Just Works.
    case encrypted
    /// Encrypted with a key that both users verified, by digits that they compared or typed.
    case authenticated
    /// Encrypted with an authenticated key of LE Secure Connections.
    case secureConnections

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension AttributePermissions {
    /// The security level that a link needs for a read: the highest that is required; nil if no link may read.
    package var readLevel: SecurityLevel? {
        if contains(.readSecureConnectionsRequired) { return .secureConnections }
        if contains(.readAuthenticationRequired) { return .authenticated }
        if contains(.readEncryptionRequired) { return .encrypted }
        return contains(.readable) ? .open : nil
    }

    /// The security level that a link needs for a write; nil if no link may write.
    package var writeLevel: SecurityLevel? {
        if contains(.writeSecureConnectionsRequired) { return .secureConnections }
        if contains(.writeAuthenticationRequired) { return .authenticated }
        if contains(.writeEncryptionRequired) { return .encrypted }
        return contains(.writeable) ? .open : nil
    }

    /// Returns the security level that a link needs to subscribe. A central that may not read a value because its link
    /// is not authenticated does not receive the value in notifications either.
    ///
    /// - Parameter isEncrypted: A Boolean value that is true if the property requires an encrypted link.
    package func subscriptionLevel(isEncrypted: Bool) -> SecurityLevel {
        let level: SecurityLevel = isEncrypted ? .encrypted : .open
        guard let readLevel, readLevel > .encrypted else { return level }
        return readLevel
    }
}
