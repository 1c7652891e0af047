// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// Connects a peripheral manager to one radio: it accepts commands and reports events in the order in which the radio
/// produced them.
///
/// The article <doc:Backends> is a guide along a small backend.
///
/// A backend knows nothing of streams, timeouts, queues or profiles; ``PeripheralManager`` does all of that, once. The
/// contract is that of ``CentralBackend``: an actor on its `executor`, which the manager adopts; the manager calls it
/// synchronously on the executor, and events come synchronously on it, in order.
///
/// - The manager may call ``respond(to:_:)`` and ``perform(_:)`` from inside the sink; the backend must allow that.
/// - A backend never calls the sink from inside one of the methods below.
/// - A service that asks for a handle stands there, or anywhere else where that is taken: it is not refused for it.
/// - The manager has one update of one characteristic in flight at most. Each request is answered by at most one
///   `.reply`.
/// - Every access is answered once, unless `.accessCancelled` came first; the platform enforces encryption and
///   authentication, the manager whether an attribute may be read or written at all.
/// - With ``PeripheralFeatures/centralLinks`` a central's `.centralConnected` comes before its accesses and
///   subscriptions, and its `.centralDisconnected` before the ends of these. With `.poweredOn` the centrals whose links
///   stand are reported again.
public protocol PeripheralBackend: ChannelBackend, PairingBackend, RestoringBackend, TimedBackend {
    /// The abilities of the platform beyond the common ground.
    nonisolated var features: PeripheralFeatures { get }

    /// After which time the platform gives up an access that is not answered; nil where it never does by itself.
    nonisolated var accessTimeLimit: Duration? { get }

    /// Whether an error reaches the central as it is; otherwise the platform sends 0x0E, Unlikely Error, in its place.
    nonisolated func isSendable(_ error: ATTError) -> Bool

    /// The part of an advertisement that the platform cannot send; nil when it can send all of it, and where that
    /// shows only when it is asked to. The manager then refuses the advertisement with
    /// ``PeripheralManagerError/advertisingOptionNotSupported(_:)`` before it calls the backend. Nil by default.
    nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption?

    /// How many bytes longer than the platform can send an advertisement is; nil when it fits.
    nonisolated func excessByteCount(of advertisement: Advertisement) -> Int?

    /// Starts the backend. Called once, before anything else. The first event is `.stateChanged`, after this returns.
    ///
    /// - Parameters:
    ///   - clock: Where all time comes from: that of the manager's configuration, or `TimedBackend/ownClock`.
    ///   - sink: The function that takes the backend's events, called on its executor only.
    func activate(clock: BlueCapClock, sink: PeripheralEventSink)

    /// Ends the backend: services and advertisements are removed; no event follows.
    func invalidate()

    /// Begins an operation, which is answered by `PeripheralEvent.reply`. Called only while powered on.
    func perform(_ request: PeripheralRequest)

    /// Answers an access of a central. Ignored where the central or the platform has given the access up.
    ///
    /// - Parameters:
    ///   - access: The name of the access, from `AttributeAccess/id`.
    ///   - result: For a read the value from the offset on, for a write no bytes; or the ATT error that the central
    ///     gets.
    func respond(to access: AccessID, _ result: Result<Bytes, ATTError>)
}

extension PeripheralBackend {
    /// Returns nil: the platform sends all of it, or refuses when it is asked.
    public nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? { nil }
}

/// The abilities of a platform's peripheral role beyond the common ground.
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
    /// Writes to a characteristic with `.writeWithoutResponse`, which may have `.write` as well, are answered with
    /// success by the platform, whatever the manager answers (BlueZ's `bluetoothd`).
    public static let confirmsAmbiguousWrites = Self(rawValue: 8)
    /// The platform reports the links of centrals, by ``PeripheralEvent/centralConnected(_:)`` and
    /// ``PeripheralEvent/centralDisconnected(_:_:prepared:)``. Without it a central counts as connected from its first
    /// subscription to the end of its last one (CoreBluetooth).
    public static let centralLinks = Self(rawValue: 16)
    /// The platform ends the link of a central when it is asked to.
    public static let centralDisconnection = Self(rawValue: 32)
    /// The platform takes the connection-oriented channels that centrals open (``ChannelBackend``).
    public static let channels = Self(rawValue: 64)
}
