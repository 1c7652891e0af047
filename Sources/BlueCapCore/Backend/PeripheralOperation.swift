// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a backend of the peripheral role can be asked to do. All are answered without a value.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum PeripheralOperation: Sendable, Hashable {
    /// Offers a service. Centrals may use it before the answer comes.
    case add(LocalService)
    /// Removes a service; its subscriptions and pending accesses end.
    case remove(AttributeID)
    /// Puts an advertisement on the air. Several at once are several identifiers. Its `timeout` is nil here and in a
    /// change: the manager keeps the time.
    case advertise(AdvertisementID, Advertisement)
    /// Changes what an advertisement on the air says, without a gap where the platform can.
    case updateAdvertisement(AdvertisementID, Advertisement)
    /// Takes an advertisement from the air.
    case stopAdvertising(AdvertisementID)
    /// Sends a value to the subscribers, or to one of them where the platform can address one. A notification is
    /// answered when the backend can take the next value of this characteristic. An indication is answered when every
    /// subscriber that it was sent to has confirmed it (Handle Value Confirmation), or its link has ended; a platform
    /// that does not report confirmations answers when it has taken the value. Fails with `.disconnected` when there
    /// was no subscriber.
    case update(AttributeID, Bytes, central: PeerIdentifier?)
}
