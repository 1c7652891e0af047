// SPDX-License-Identifier: MIT

/// The state of a peripheral manager, before ``CBManagerState``.
///
/// An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBPeripheralManagerState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let unknown = Self(code: 0)
    public static let resetting = Self(code: 1)
    public static let unsupported = Self(code: 2)
    public static let unauthorized = Self(code: 3)
    public static let poweredOff = Self(code: 4)
    public static let poweredOn = Self(code: 5)
}
