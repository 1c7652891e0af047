// SPDX-License-Identifier: MIT

/// An advertisement went on the air, went off it for a while, or ended.
public struct AdvertisingEvent: Sendable, Hashable, CustomStringConvertible {
    /// The ways in which an advertisement comes to the air and leaves it.
    public enum Kind: Sendable, Hashable {
        /// It is on the air: for the first time, or again after an interruption.
        case started
        /// It is off the air since the radio was switched off, the adapter was unplugged, or the system's Bluetooth
        /// service ended; the error says which. It stays wanted: the manager advertises it again as soon as it can.
        case interrupted(PeripheralManagerError)
        /// It is off the air for good. No event of this advertisement follows.
        case ended(AdvertisementEnd)
    }

    /// Whether the advertisement started, was interrupted or ended.
    public let kind: Kind
    /// Which advertisement; ``AdvertisementHandle/id`` where it was started with a handle.
    public let id: AdvertisementID
    /// What it says, or said last.
    public let advertisement: Advertisement

    /// The advertisement's number and what happened.
    public var description: String { "the advertisement \(id) \(kind)" }
}

/// Why an advertisement ended.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum AdvertisementEnd: Sendable, Hashable {
    /// The app stopped it, or reset the manager.
    case stopped
    /// Its ``Advertisement/timeout`` is over.
    case timeOver
    /// The platform ended it, or refused it after an interruption. Also reported by
    /// ``PeripheralManager/registrationFailures()``.
    case refused(PeripheralManagerError)
}
