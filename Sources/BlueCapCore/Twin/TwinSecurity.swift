// SPDX-License-Identifier: MIT

/// The protection that a link needs before a twin allows a value to be read or written.
public enum TwinSecurity: String, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// Any link is allowed, also one without encryption.
    case open
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing in which digits were compared or typed.
    case authenticated

    /// Returns whether the left protection is weaker than the right one.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .open: 0
        case .encrypted: 1
        case .authenticated: 2
        }
    }
}
