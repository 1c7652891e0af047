// SPDX-License-Identifier: MIT

/// Whether a write is answered. An imported enum takes every raw value, so this is a structure (language rule 1).
public struct CBCharacteristicWriteType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    /// Never nil, as that of an imported enum.
    public init?(rawValue: Int) { self.rawValue = rawValue }

    init(code: Int) { rawValue = code }

    public static let withResponse = Self(code: 0)
    public static let withoutResponse = Self(code: 1)
}
