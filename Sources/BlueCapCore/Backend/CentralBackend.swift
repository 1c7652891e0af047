// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// Connects a central manager to one radio: it accepts commands and reports events in the order in which the radio
/// produced them.
///
/// The article <doc:Backends> is a guide along a small backend.
///
/// A backend knows nothing of streams, timeouts, retries, queues, statistics or profiles; ``CentralManager`` does all
/// of that, once. The contract:
///
/// - A backend is an actor on its `executor`. The manager adopts the same executor and calls the backend's methods
///   synchronously on it. The backend hands each event to its sink synchronously on the executor, in the order of the
///   radio, with the value inside. It never calls the sink from inside one of the methods below;
///   ``RadioActor/later(_:)`` is for events that follow from a command.
/// - The manager has at most one operation in flight for one attribute and kind (see ``CentralOperation``). Operations
///   of different attributes come side by side.
/// - A `connect` to a peripheral whose link already stands, because another program made it or because it stood before
///   this program began, is answered by `.connected` soon.
/// - Each ``CentralRequest`` is answered by at most one `.reply` with its identifier. After `.disconnected` or a state
///   other than `.poweredOn`, all requests on the link (or on all links) have failed for the manager, and after
///   `.servicesChanged` those for attributes that are gone. It ignores replies that come later.
/// - A caller that is cancelled, or whose timeout passes, gives its request up without a call of the backend, because a
///   request that was sent cannot be recalled. The backend answers it as any other; the manager counts the answer as
///   unclaimed, and sends nothing more for that attribute until it has come.
public protocol CentralBackend: ChannelBackend, PairingBackend, RestoringBackend, TimedBackend {
    /// The abilities of the platform beyond the common ground.
    nonisolated var features: CentralFeatures { get }

    /// Starts the backend. Called once, before anything else. The first event is `.stateChanged`, after this returns.
    ///
    /// - Parameters:
    ///   - clock: Where all time comes from: that of the manager's configuration, or `TimedBackend/ownClock`.
    ///   - sink: Takes the events.
    func activate(clock: BlueCapClock, sink: CentralEventSink)

    /// Ends the backend: the scan is stopped and every link that it made is taken down; no event follows.
    func invalidate()

    /// Scans as `request` says from now on, instead of an earlier request; nil stops the scan.
    ///
    /// Called only while powered on. A scan ends by itself when the state leaves `.poweredOn`. The backend may deliver
    /// more sightings than asked for (others may be scanning too): the manager filters.
    func scan(_ request: ScanRequest?)

    /// Begins to connect. Answered by `.connected` or `.connectFailed`, for as long as it takes.
    ///
    /// An attempt is pending until the peripheral is there: one that is out of range, switched off, or unknown to the
    /// platform is waited for, which is no failure. `.connectFailed` means that the peripheral is there and the
    /// connection failed, that the platform cannot wait for the peripheral, or that the attempt was cancelled. How long
    /// to wait, and whether to try again, is for the manager to say. With `CentralFeatures/peripheralPresence` the
    /// time of an attempt begins when the peripheral is heard. A backend without it leaves the manager no way to tell
    /// waiting from failing: the time begins with this call, and each attempt whose time passes counts towards
    /// `ReconnectPolicy/maximumTimeouts`, wherever the peripheral is.
    ///
    /// Called only while powered on and the peripheral is disconnected.
    func connect(_ peripheral: PeerIdentifier)

    /// Ends a connection, or an attempt at one. Answered by `.disconnected` for a connection, `.connectFailed` for an
    /// attempt; never by neither, even when the link was lost at the same moment.
    func disconnect(_ peripheral: PeerIdentifier)

    /// Begins an operation, which is answered by `CentralEvent.reply`.
    func perform(_ request: CentralRequest)

    /// A channel on which values that are written to a characteristic over its socket go out at once, once a first one
    /// has gone through ``perform(_:)``; nil, as by default, where there is none.
    ///
    /// The backend closes it with the connection, and before it writes to the characteristic in another way.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic's place in the peripheral's database.
    ///   - peripheral: The peripheral that has it, which is connected.
    func writeChannel(to characteristic: AttributeID, of peripheral: PeerIdentifier) -> (any WriteChannel)?
}

extension CentralBackend {
    /// Returns nil: every value goes through ``perform(_:)``.
    ///
    /// - Parameters:
    ///   - characteristic: Ignored, as no characteristic has a channel.
    ///   - peripheral: Ignored for the same reason.
    public func writeChannel(
        to characteristic: AttributeID, of peripheral: PeerIdentifier
    ) -> (any WriteChannel)? { nil }
}

/// The abilities of a platform's central role beyond the common ground.
public struct CentralFeatures: OptionSet, Sendable {
    /// The bits, one for each feature. They have no meaning outside of the process.
    public let rawValue: Int

    /// A set from its bits; bits without a name are kept.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The platform can be asked for the signal strength of a connection. Without it, and where the platform answers
    /// ``OperationFailure/rssiUnavailable``, ``Peripheral/readRSSI(timeout:)`` gives the last sighting's, if it is
    /// fresh.
    public static let connectionRSSI = Self(rawValue: 1)
    /// The platform reports when a peripheral that it is to connect to is there (``CentralEvent/peripheralHeard(_:)``),
    /// so that the manager can distinguish an attempt that fails from one that only waits. Without it an attempt that
    /// times out counts as failed although it may only have waited: a bounded ``ReconnectPolicy`` is used up by a
    /// peripheral that is out of range. An attempt without a timeout waits for as long as it takes.
    public static let peripheralPresence = Self(rawValue: 2)
    /// The platform distinguishes the answer to a read from a notified value. Without it the answer to a read of a
    /// characteristic that notifies may be a notification, so the manager delivers it to the listeners as well
    /// (CoreBluetooth calls the same delegate method for both).
    public static let separatesReadsFromNotifications = Self(rawValue: 4)
    /// The platform compares packets with the patterns and the signal thresholds of passive scans by itself, and
    /// reports them by ``CentralEvent/matched(_:_:)`` and ``CentralEvent/matchLost(_:_:)``. Without it the manager does
    /// so with each sighting.
    public static let patternMatching = Self(rawValue: 8)
    /// The platform can be asked for other parameters of a connection
    /// (``CentralOperation/setConnectionParameters(_:_:)``).
    public static let connectionParameters = Self(rawValue: 16)
    /// Connection-oriented channels are opened over the platform's links (``ChannelBackend``).
    public static let channels = Self(rawValue: 32)
}

/// The advertisements that a scan looks for.
public struct ScanRequest: Sendable, Hashable {
    /// Sight only peripherals that advertise one of these services; empty sights all.
    public var services: Set<BluetoothUUID>
    /// Whether every packet counts, rather than each peripheral's first and its changes.
    public var allowsDuplicates: Bool
    /// The packets that count: the modes of all scans. For one that a backend cannot scan in it reports
    /// ``CentralEvent/scanModeRefused(_:_:)``. Where all are passive it asks for no scan responses.
    public var modes: Set<ScanMode>

    /// Creates a request to scan.
    ///
    /// - Parameters:
    ///   - services: The services of which a peripheral has to advertise one; empty for every peripheral.
    ///   - allowsDuplicates: Whether the backend reports every packet, rather than a peripheral's first and its
    ///     changes.
    ///   - modes: The modes of all scans.
    public init(
        services: Set<BluetoothUUID> = [], allowsDuplicates: Bool = false, modes: Set<ScanMode> = [.active]
    ) {
        self.services = services
        self.allowsDuplicates = allowsDuplicates
        self.modes = modes
    }

    /// Whether no scan is another than a passive one.
    package var isPassive: Bool { modes.allSatisfy(\.isPassive) }
}

/// A way on which values written without a response go out to one characteristic at once, from any thread and without
/// the queue of requests: the socket of BlueZ's `AcquireWrite`.
///
/// It keeps their order with what is queued: while it is held it sends nothing, and what it does not send goes through
/// the queue.
public protocol WriteChannel: AnyObject, Sendable {
    /// Sends a value, unless the channel is held or closed or takes no such value, or that would have to wait; the
    /// channel is held then. From any thread.
    ///
    /// - Returns: Whether the value went out.
    func send(_ value: Bytes) -> Bool

    /// Sends nothing from now on: something is queued that is to go first. From any thread.
    func hold()

    /// Sends again. From any thread.
    func release()
}
