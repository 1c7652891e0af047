// SPDX-License-Identifier: MIT

/// The Flags AD type (Core Specification Supplement, Part A, 1.3).
public struct AdvertisingFlags: OptionSet, Sendable, Hashable, Codable {
    /// The bits as the packet carries them.
    public let rawValue: UInt8

    /// Creates a set from its bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LE Limited Discoverable Mode: the device can be found for a limited time.
    public static let limitedDiscoverable = Self(rawValue: 0x01)
    /// LE General Discoverable Mode: the device can be found at any time.
    public static let generalDiscoverable = Self(rawValue: 0x02)
    /// The device does not support BR/EDR, the radio of classic Bluetooth.
    public static let noBREDR = Self(rawValue: 0x04)
}
