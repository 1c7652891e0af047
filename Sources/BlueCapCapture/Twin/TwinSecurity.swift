// SPDX-License-Identifier: MIT

/// What a link must be before a twin lets a value be read or written.
public enum TwinSecurity: String, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// Anything.
    case open
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing in which digits were compared or typed.
    case authenticated

    /// Orders from the least to the most.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .open: 0
        case .encrypted: 1
        case .authenticated: 2
        }
    }
}
