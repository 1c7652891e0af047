// SPDX-License-Identifier: MIT

/// A central's subscription to a characteristic, or its end.
public struct SubscriptionEvent: Sendable, Hashable, CustomStringConvertible {
    /// The beginning and the end of a subscription.
    public enum Kind: Sendable, Hashable, Codable {
        /// The central subscribed; where the platform does not distinguish centrals, the first one did.
        case subscribed
        /// The central unsubscribed, its link ended, the radio went off, or the service was removed; where the platform
        /// does not distinguish centrals, it was the last one.
        case unsubscribed
    }

    /// Whether the subscription began or ended.
    public let kind: Kind
    /// The characteristic whose values are sent, or not any more.
    public let characteristic: MutableCharacteristic
    /// The central that subscribed; ``Central/isAggregate`` where the platform does not distinguish centrals.
    public let central: Central

    /// The kind, the characteristic and the central.
    public var description: String { "\(central) \(kind) \(characteristic)" }
}
