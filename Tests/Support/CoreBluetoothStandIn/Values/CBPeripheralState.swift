// SPDX-License-Identifier: MIT

/// The state of the connection to a peripheral.
///
/// An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBPeripheralState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let disconnected = Self(code: 0)
    public static let connecting = Self(code: 1)
    public static let connected = Self(code: 2)
    public static let disconnecting = Self(code: 3)
}
