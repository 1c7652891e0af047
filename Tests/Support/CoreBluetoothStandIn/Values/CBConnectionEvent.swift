// SPDX-License-Identifier: MIT

/// A connection of a peripheral to any app of the system.
///
/// An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBConnectionEvent: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let peerDisconnected = Self(code: 0)
    public static let peerConnected = Self(code: 1)
}
