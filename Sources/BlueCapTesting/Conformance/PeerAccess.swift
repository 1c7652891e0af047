// SPDX-License-Identifier: MIT

/// A kind of access to an attribute.
public enum PeerAccess: String, Sendable, Hashable, Codable, CaseIterable {
    /// A read of the value.
    case read
    /// A write of the value.
    case write
    /// A subscription, which switches notifications or indications on.
    case subscribe
}
