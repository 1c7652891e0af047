// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// What a backend of the peripheral role can be asked to do. All are answered without a value.
public enum PeripheralOperation: Sendable, Hashable {
    /// Offers a service. Centrals may use it before the answer comes.
    case add(LocalService)
    /// Takes a service back; its subscriptions and pending accesses end.
    case remove(AttributeID)
    /// Puts an advertisement on the air. Several at once are several identifiers. Its `timeout` is nil here and in a change:
    /// the manager keeps the time.
    case advertise(AdvertisementID, Advertisement)
    /// Changes what an advertisement on the air says, without a gap where the platform can.
    case updateAdvertisement(AdvertisementID, Advertisement)
    /// Takes an advertisement from the air.
    case stopAdvertising(AdvertisementID)
    /// Sends a value to the subscribers, or to one of them where the platform can address one. Notified, it is answered
    /// when the backend can take the next value of this characteristic; indicated, when it is confirmed. Fails with
    /// `.disconnected` when nobody was there to be reached.
    case update(AttributeID, Bytes, central: PeerIdentifier?)
}
