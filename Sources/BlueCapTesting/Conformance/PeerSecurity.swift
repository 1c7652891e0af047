// SPDX-License-Identifier: MIT

/// What a link must be before a peer lets a value be read or written.
public enum PeerSecurity: String, Sendable, Hashable, Codable {
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing that was authenticated.
    case authenticated
}
