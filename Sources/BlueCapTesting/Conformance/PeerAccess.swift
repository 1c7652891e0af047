// SPDX-License-Identifier: MIT

/// How an attribute is accessed.
public enum PeerAccess: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is read.
    case read
    /// It is written.
    case write
    /// Its notifications or indications are switched on.
    case subscribe
}
