// SPDX-License-Identifier: MIT

/// The Flags AD type (Core Specification Supplement, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Sendable, Hashable, Codable {
    /// The bits as the packet carries them.
    public let rawValue: UInt8

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LE Limited Discoverable Mode.
    public static let limitedDiscoverable = Self(rawValue: 0x01)
    /// LE General Discoverable Mode.
    public static let generalDiscoverable = Self(rawValue: 0x02)
    /// BR/EDR is not supported.
    public static let noBREDR = Self(rawValue: 0x04)
}
