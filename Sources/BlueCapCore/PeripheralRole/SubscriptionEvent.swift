// SPDX-License-Identifier: MIT

/// A central's subscription to a characteristic, or its end.
public struct SubscriptionEvent: Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable, Hashable, Codable {
        /// The central subscribed; where the platform does not tell centrals apart, the first one did.
        case subscribed
        /// The central unsubscribed, its link ended, the radio went off, or the service was removed; where the platform
        /// does not tell centrals apart, it was the last one.
        case unsubscribed
    }

    /// What happened.
    public let kind: Kind
    /// To which characteristic.
    public let characteristic: MutableCharacteristic
    /// Which central.
    public let central: Central

    /// The kind, the characteristic and the central.
    public var description: String { "\(central) \(kind) \(characteristic)" }
}
