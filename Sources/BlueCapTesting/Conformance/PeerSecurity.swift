// SPDX-License-Identifier: MIT

/// The protection that a link needs before a peer allows a value to be read or written.
public enum PeerSecurity: String, Sendable, Hashable, Codable {
    /// Encrypted, by any pairing.
    case encrypted
    /// Encrypted, by a pairing that was authenticated.
    case authenticated
}
