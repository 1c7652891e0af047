// SPDX-License-Identifier: MIT

/// The wish for a latency. An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBPeripheralManagerConnectionLatency: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let low = Self(code: 0)
    public static let medium = Self(code: 1)
    public static let high = Self(code: 2)
}
