// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An event that a backend reports to its manager. Each event carries its values, so that no state is read again later.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum CentralEvent: Sendable {
    /// The radio's state changed; with `.unsupported` and `.unauthorized` the failure says why.
    ///
    /// Any state but `.poweredOn` ends the scan, all links and all requests, without further events for them.
    case stateChanged(ManagerState, BackendFailure?)
    /// What the platform kept of a program that ended; once at most, before the first `.stateChanged`.
    case restored(CentralRestoration)
    /// A packet of a peripheral was received while scanning.
    case sighted(Sighting)
    /// From now on the platform reports each peripheral once, whatever the scan asks for (CoreBluetooth does so while
    /// the app is in the background), or no longer does. Meanwhile no peripheral is reported as lost
    /// (``ScanOptions/lostAfter``): that it is not sighted again means nothing. A backend begins with false.
    case sightingsCoalesced(Bool)
    /// The scan could not be started, or stopped by itself.
    case scanFailed(OperationFailure)
    /// A peripheral that is to be connected to is there: the attempt no longer only waits for it. Left out where
    /// `.connected` or `.connectFailed` follows at once; only with ``CentralFeatures/peripheralPresence``.
    case peripheralHeard(PeerIdentifier)
    /// A connection was made, or one that is to be restored stands; the manager need not have asked for that one.
    /// `maximumTransmissionUnit` is the ATT_MTU where it is known by now.
    case connected(PeerIdentifier, maximumTransmissionUnit: Int?)
    /// An attempt to connect failed or was cancelled.
    case connectFailed(PeerIdentifier, OperationFailure)
    /// A connection ended, from whichever side; the failure is the platform's reason where it gives one.
    case disconnected(PeerIdentifier, BackendFailure?)
    /// The ATT_MTU of a connection became known or changed.
    case maximumTransmissionUnitChanged(PeerIdentifier, Int)
    /// The peripheral's name became known or changed.
    case nameChanged(PeerIdentifier, String)
    /// The peer's database changed: these services (by their attribute) are gone or different, and there may be new
    /// ones.
    case servicesChanged(PeerIdentifier, invalidated: [AttributeID])
    /// A notification or indication arrived.
    case valueChanged(PeerIdentifier, AttributeID, Bytes)
    /// The platform stopped notifications on its own. The manager ends the subscription.
    case notifyingStopped(PeerIdentifier, AttributeID, OperationFailure)
    /// Values were lost before they reached this process's mailboxes; counted with the characteristic's drops.
    case valuesDropped(PeerIdentifier, AttributeID, count: Int)
    /// Keys for the peripheral were made, or are gone.
    case bondChanged(PeerIdentifier, Bool)
    /// The platform asks a question for pairing, answered by ``PairingBackend/answerPairing(_:_:)``.
    case pairingRequested(PairingPrompt)
    /// The platform no longer waits for the answer, or what was shown is over; not for a question that was answered.
    case pairingRequestEnded(PairingPromptID)
    /// The platform refused to ask this program about pairing. The backend tries again by itself.
    case pairingUnavailable(BackendFailure)
    /// The answer to a request.
    case reply(RequestID, Result<CentralReply, OperationFailure>)
}
