// SPDX-License-Identifier: MIT

/// What a platform's peripheral role can do beyond the common ground.
public struct PeripheralFeatures: OptionSet, Sendable {
    /// The bits, one for each feature. They have no meaning outside of the process.
    public let rawValue: Int

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Several advertisements can be on the air at once.
    public static let severalAdvertisements = Self(rawValue: 1)
    /// The platform distinguishes subscribers, and can send a value to one of them alone.
    public static let individualSubscribers = Self(rawValue: 2)
    /// The platform distinguishes a write request from a write command.
    public static let writeKinds = Self(rawValue: 4)
    /// Writes to a characteristic with both `.write` and `.writeWithoutResponse` are answered with success by the
    /// platform, whatever the manager answers (BlueZ's `bluetoothd`).
    public static let confirmsAmbiguousWrites = Self(rawValue: 8)
}
