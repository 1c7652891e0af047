// SPDX-License-Identifier: MIT

/// Whether the app may use Bluetooth, before ``CBManagerAuthorization``.
///
/// An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBPeripheralManagerAuthorizationStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let notDetermined = Self(code: 0)
    public static let restricted = Self(code: 1)
    public static let denied = Self(code: 2)
    public static let authorized = Self(code: 3)
}
