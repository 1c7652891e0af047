// SPDX-License-Identifier: MIT

import BlueCapRuntime

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
public protocol CentralBackend: PairingBackend, RestoringBackend, TimedBackend {
    /// What the platform can do beyond the common ground.
    nonisolated var features: CentralFeatures { get }

    /// Starts the backend. Called once, before anything else. The first event is `.stateChanged`, after this returns.
    ///
    /// - Parameters:
    ///   - clock: Where all time comes from: that of the manager's configuration, or ``TimedBackend/ownClock``.
    ///   - sink: Takes the events.
    func activate(clock: BlueCapClock, sink: CentralEventSink)

    /// Ends the backend: the scan is stopped and every link that it made is taken down; no event follows.
    func invalidate()

    /// Scans for what `request` says from now on, instead of what an earlier call said; nil stops the scan.
    ///
    /// Called only while powered on. A scan ends by itself when the state leaves `.poweredOn`. The backend may deliver
    /// more sightings than asked for (others may be scanning too): the manager filters.
    func scan(_ request: ScanRequest?)

    /// Begins to connect. Answered by `.connected` or `.connectFailed`, for as long as it takes.
    ///
    /// An attempt is pending until the peripheral is there: one that is out of range, switched off, or unknown to the
    /// platform is waited for, which is no failure. `.connectFailed` means that the peripheral is there and the
    /// connection failed, that the platform cannot wait for the peripheral, or that the attempt was cancelled. How long
    /// to wait, and whether to try again, is for the manager to say.
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
