// SPDX-License-Identifier: MIT

package import BlueCapSerDe

/// How far a link is secured: the levels of LE security mode 1 (Core Specification, Vol 3, Part C, 10.2.1).
package enum SecurityLevel: UInt8, Sendable, Hashable, Comparable {
    /// It is not encrypted.
    case open = 1
    /// Encrypted with a key that was not authenticated, as by Just Works.
    case encrypted
    /// Encrypted with a key that both users made sure of, by digits that they compared or typed.
    case authenticated
    /// Encrypted with such a key of LE Secure Connections.
    case secureConnections

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension AttributePermissions {
    /// What a link needs for a read: the most of what is required; nil where no link may read.
    package var readLevel: SecurityLevel? {
        if contains(.readSecureConnectionsRequired) { return .secureConnections }
        if contains(.readAuthenticationRequired) { return .authenticated }
        if contains(.readEncryptionRequired) { return .encrypted }
        return contains(.readable) ? .open : nil
    }

    /// What a link needs for a write; nil where no link may write.
    package var writeLevel: SecurityLevel? {
        if contains(.writeSecureConnectionsRequired) { return .secureConnections }
        if contains(.writeAuthenticationRequired) { return .authenticated }
        if contains(.writeEncryptionRequired) { return .encrypted }
        return contains(.writeable) ? .open : nil
    }

    /// What a link needs to subscribe: who may not read a value for want of authentication is not sent it either.
    ///
    /// - Parameter isEncrypted: Whether the property asks for an encrypted link.
    package func subscriptionLevel(isEncrypted: Bool) -> SecurityLevel {
        let level: SecurityLevel = isEncrypted ? .encrypted : .open
        guard let readLevel, readLevel > .encrypted else { return level }
        return readLevel
    }
}
