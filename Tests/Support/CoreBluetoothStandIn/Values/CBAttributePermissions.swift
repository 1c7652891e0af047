// SPDX-License-Identifier: MIT

/// The permissions of a local attribute (G6).
public struct CBAttributePermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let readable = Self(rawValue: 0x1)
    public static let writeable = Self(rawValue: 0x2)
    public static let readEncryptionRequired = Self(rawValue: 0x4)
    public static let writeEncryptionRequired = Self(rawValue: 0x8)
}
