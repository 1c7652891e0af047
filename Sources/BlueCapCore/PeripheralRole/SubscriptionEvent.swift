// SPDX-License-Identifier: MIT

/// A central's subscription to a characteristic, or its end.
public struct SubscriptionEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event: the beginning or the end of a subscription.
    public enum Kind: Sendable, Hashable, Codable {
        /// The central subscribed; if the platform does not distinguish centrals, the first central subscribed.
        case subscribed
        /// The central unsubscribed, its link ended, the radio went off, or the service was removed; if the platform
        /// does not distinguish centrals, this was the last central.
        case unsubscribed
    }

    /// The kind of event: the subscription began or ended.
    public let kind: Kind
    /// The characteristic of the subscription.
    public let characteristic: MutableCharacteristic
    /// The central that subscribed; ``Central/isAggregate`` is true if the platform does not distinguish centrals.
    public let central: Central

    /// The kind, the characteristic and the central.
    public var description: String { "\(central) \(kind) \(characteristic)" }
}
