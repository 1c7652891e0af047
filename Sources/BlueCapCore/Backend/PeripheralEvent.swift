// SPDX-License-Identifier: MIT

/// An event that a backend of the peripheral role reports to its manager. Each event carries its values.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum PeripheralEvent: Sendable {
    /// The radio's state changed; with `.unsupported` and `.unauthorized` the failure says why.
    ///
    /// With any state but `.poweredOn` all links of centrals, subscriptions, accesses and requests are over, without
    /// further events for them, and nothing is on the air. What was added and advertised is kept by the platform, and
    /// is there again with `.poweredOn`, unless ``registrationsLost`` is reported.
    case stateChanged(ManagerState, BackendFailure?)
    /// The state that the platform kept of a program that ended; once at most, before the first `.stateChanged`.
    case restored(PeripheralRestoration)
    /// At which attribute handle a service stands, for services that have a ``LocalService/handle``. Sent with its
    /// addition.
    case servicePlaced(AttributeID, handle: UInt16)
    /// The platform has forgotten every service and advertisement (its daemon is new, the adapter is); sent while or
    /// before the state is `.poweredOn` again. The manager adds and advertises again those still wanted, under the
    /// numbers that it had.
    case registrationsLost
    /// A central connected, or its link stood before; only with ``PeripheralFeatures/centralLinks``.
    case centralConnected(Central)
    /// The facts about a connected central changed: its ATT_MTU, its security, or its identifier, which was this one.
    case centralChanged(PeerIdentifier, Central)
    /// The link of a central ended, from whichever side; the failure is the platform's reason where it gives one.
    /// `prepared` has the numbers of the parts of long writes that were prepared and never executed, by attribute,
    /// where the platform reports them.
    case centralDisconnected(PeerIdentifier, BackendFailure?, prepared: [AttributeID: Int])
    /// A central reads or writes. Answered by ``PeripheralBackend/respond(to:_:)``.
    case access(AttributeAccess)
    /// The platform no longer waits for the answer: the central is gone or the request timed out.
    case accessCancelled(AccessID)
    /// A central subscribed; where the platform does not distinguish centrals, the first one did.
    case subscribed(AttributeID, Central)
    /// A central's facts changed (its ATT_MTU).
    case subscriberChanged(AttributeID, Central)
    /// A central unsubscribed or its link ended; where the platform does not distinguish centrals, the last one's.
    case unsubscribed(AttributeID, Central)
    /// The platform took an advertisement down although its radio and its service go on, and why. It is not wanted any
    /// more. An advertisement that ends with the radio or the service is reported by ``stateChanged(_:_:)`` and
    /// ``registrationsLost`` instead.
    case advertisingEnded(AdvertisementID, BackendFailure)
    /// The platform asks a question for pairing, answered by ``PairingBackend/answerPairing(_:_:)``.
    case pairingRequested(PairingPrompt)
    /// The platform no longer waits for the answer, or a code shown is over; not for a question that was answered.
    case pairingRequestEnded(PairingPromptID)
    /// The platform refused to ask this program about pairing. The backend tries again by itself.
    case pairingUnavailable(BackendFailure)
    /// The answer to a request.
    case reply(RequestID, Result<Void, OperationFailure>)
}

/// Takes a peripheral backend's events, synchronously on the backend's executor, in order.
public struct PeripheralEventSink: Sendable {
    private let receive: @Sendable (PeripheralEvent) -> Void

    /// A sink that hands each event to `receive`.
    public init(_ receive: @escaping @Sendable (PeripheralEvent) -> Void) { self.receive = receive }

    /// Hands over the next event. Call it on the backend's executor only.
    public func callAsFunction(_ event: PeripheralEvent) { receive(event) }
}
