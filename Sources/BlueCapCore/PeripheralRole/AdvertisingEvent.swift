// SPDX-License-Identifier: MIT

/// An event of an advertisement: it went on the air, was interrupted, or ended.
public struct AdvertisingEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event of an advertisement.
    public enum Kind: Sendable, Hashable {
        /// The advertisement is on the air, for the first time or again after an interruption.
        case started
        /// The advertisement is off the air because the radio was switched off, the adapter was unplugged, or the
        /// system's Bluetooth service ended; the error is the reason.
        ///
        /// The manager advertises it again as soon as it can.
        case interrupted(PeripheralManagerError)
        /// The advertisement has ended.
        ///
        /// No event of this advertisement follows.
        case ended(AdvertisementEnd)
    }

    /// The kind of event: the advertisement started, was interrupted or ended.
    public let kind: Kind
    /// The number of the advertisement; ``AdvertisementHandle/id`` if it was started with a handle.
    public let id: AdvertisementID
    /// The present content of the advertisement, or its last content.
    public let advertisement: Advertisement

    /// The advertisement's number and the kind of event.
    public var description: String { "the advertisement \(id) \(kind)" }
}

/// The reason why an advertisement ended.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum AdvertisementEnd: Sendable, Hashable {
    /// The app stopped the advertisement, or reset the manager.
    case stopped
    /// The ``Advertisement/timeout`` is over.
    case timeOver
    /// The platform ended the advertisement, or refused it after an interruption.
    ///
    /// The refusal is also reported by ``PeripheralManager/registrationFailures()``.
    case refused(PeripheralManagerError)
}
