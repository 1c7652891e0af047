// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The operations that a backend of the peripheral role can be asked for, each answered without a value.
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
    /// Changes the contents of an advertisement on the air, without a gap where the platform can.
    case updateAdvertisement(AdvertisementID, Advertisement)
    /// Takes an advertisement from the air.
    case stopAdvertising(AdvertisementID)
    /// Sends a value to the subscribers, or to one of them where the platform can address one. A notification is
    /// answered when the backend can take the next value of this characteristic. An indication is answered when every
    /// subscriber that it was sent to has confirmed it (Handle Value Confirmation), or its link has ended; a platform
    /// that does not report confirmations answers when it has taken the value. Fails with `.disconnected` when there
    /// was no subscriber.
    case update(AttributeID, Bytes, central: PeerIdentifier?)
    /// Ends the link of a central, with a reason where the platform can give one. Answered when the link has ended,
    /// after `.centralDisconnected`; fails with `.disconnected` when there is no such link, and with `.unsupported`
    /// without ``PeripheralFeatures/centralDisconnection``.
    case disconnect(PeerIdentifier, CentralDisconnectReason)
}

/// The reason that a central gets when its link is ended (Core Specification, Vol 1, Part F).
public enum CentralDisconnectReason: Sendable, Hashable {
    /// The user of the peripheral, or its app, ended the link: 0x13.
    case userTerminated
    /// The peripheral has no room for another central: 0x14.
    case lowResources
}

/// One operation that a peripheral manager asks of its backend, answered by `PeripheralEvent.reply` with the same
/// identifier.
public struct PeripheralRequest: Sendable {
    /// The name under which the answer comes.
    public let id: RequestID
    /// The operation to carry out.
    public let operation: PeripheralOperation

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - id: The name that the backend's reply carries; never used for another request of the manager.
    ///   - operation: The operation to carry out, with its service, advertisement or characteristic.
    public init(id: RequestID, operation: PeripheralOperation) {
        self.id = id
        self.operation = operation
    }
}

/// Names one advertisement of a manager; never used for another.
public struct AdvertisementID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the manager.
    public let rawValue: UInt32

    /// A name from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The number after a `@`.
    public var description: String { "@\(rawValue)" }
}
