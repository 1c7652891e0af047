// SPDX-License-Identifier: MIT

/// The security of a central's link.
public enum LinkSecurity: UInt8, Sendable, Hashable, Comparable, Codable {
    /// The link is not encrypted.
    case unencrypted
    /// The link is encrypted with a key that was not authenticated, as by Just Works; or it is not known whether the
    /// key was.
    case encrypted
    /// The link is encrypted with a key that both users verified, by digits that they compared or typed.
    case authenticated

    /// Returns whether the left link is less secure than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension LinkSecurity {
    /// The security of a link with this level of LE security mode 1.
    package init(_ level: SecurityLevel) {
        self =
            switch level {
            case .open: .unencrypted
            case .encrypted: .encrypted
            case .authenticated, .secureConnections: .authenticated
            }
    }
}
