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
    /// The state that the platform kept of a program that ended; once at most, before the first `.stateChanged`.
    case restored(CentralRestoration)
    /// A packet of a peripheral was received while scanning.
    case sighted(Sighting)
    /// From now on the platform reports each peripheral once, whatever the scan asks for, or no longer does:
    /// CoreBluetooth while the app is in the background, BlueZ for seconds after a crash of `bluetoothd`. Meanwhile no
    /// peripheral is reported as lost (``ScanOptions/lostAfter``): that it is not sighted again means nothing. A
    /// backend begins with false.
    case sightingsCoalesced(Bool)
    /// The scan could not be started, or stopped by itself.
    case scanFailed(OperationFailure)
    /// The platform cannot scan in the mode of the present request. The scan goes on without it until the next
    /// request.
    indirect case scanModeRefused(ScanMode, BackendFailure)
    /// A packet was received that the passive scans of this mode look for, or a peripheral that they have found has
    /// changed; only with ``CentralFeatures/patternMatching``.
    indirect case matched(Sighting, ScanMode)
    /// A peripheral that the passive scans of this mode have found is far, or gone.
    indirect case matchLost(PeerIdentifier, ScanMode)
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
    /// ones. Nil where the platform does not tell which ones: then all are.
    case servicesChanged(PeerIdentifier, invalidated: [AttributeID]?)
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
    /// The platform no longer waits for the answer, or a code shown is over; not for a question that was answered.
    case pairingRequestEnded(PairingPromptID)
    /// The platform refused to ask this program about pairing. The backend tries again by itself.
    case pairingUnavailable(BackendFailure)
    /// The answer to a request.
    case reply(RequestID, Result<CentralReply, OperationFailure>)
}

/// Takes a backend's events, synchronously on the backend's executor, in order.
public struct CentralEventSink: Sendable {
    private let receive: @Sendable (CentralEvent) -> Void

    /// A sink that hands each event to `receive`.
    public init(_ receive: @escaping @Sendable (CentralEvent) -> Void) { self.receive = receive }

    /// Hands over the next event. Call it on the backend's executor only.
    public func callAsFunction(_ event: CentralEvent) { receive(event) }
}

/// One packet, or merged view of packets, of an advertising peripheral.
public struct Sighting: Sendable, Hashable {
    /// The identifier of the peripheral that sent the packet.
    public var peripheral: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// The fields of the packet, or of all packets that the platform has merged.
    public var advertisements: PeripheralAdvertisements
    /// Signal strength in dBm; absent where the platform did not measure it (CoreBluetooth's and BlueZ's 127).
    public var rssi: Int?
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?
    /// Whether its address is a random one; nil where the platform does not say.
    package var hasRandomAddress: Bool?

    /// Creates a sighting, as a backend reports it by ``CentralEvent``.
    ///
    /// - Parameters:
    ///   - peripheral: The identifier under which a manager can connect to the sender.
    ///   - name: The name that the platform knows; nil where it knows none.
    ///   - advertisements: The fields of the packet, or of all packets that the platform has merged.
    ///   - rssi: The signal strength in dBm; nil where the platform did not measure it.
    ///   - isBonded: Whether the platform keeps keys for the peripheral; nil where the platform does not say.
    public init(
        peripheral: PeerIdentifier, name: String? = nil, advertisements: PeripheralAdvertisements, rssi: Int?,
        isBonded: Bool? = nil
    ) {
        self.peripheral = peripheral
        self.name = name
        self.advertisements = advertisements
        self.rssi = rssi
        self.isBonded = isBonded
    }
}

/// The result of an operation.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum CentralReply: Sendable, Hashable {
    /// It was done; there is nothing to tell.
    case done
    /// The value that was read.
    case value(Bytes)
    /// Signal strength in dBm.
    case rssi(Int)
    /// When the parameters of a connection take effect.
    case parameters(ConnectionParameters.Effect)
    /// Services, in the order of the peer's database.
    case services([DiscoveredService])
    /// Characteristics, in the order of the peer's database.
    case characteristics([DiscoveredCharacteristic])
    /// Descriptors, in the order of the peer's database.
    case descriptors([DiscoveredDescriptor])
    /// Peripherals that the platform knows.
    case peripherals([KnownPeripheral])
}

/// A peripheral that the platform knows without a sighting in a scan of ours.
public struct KnownPeripheral: Sendable, Hashable {
    /// The identifier under which the platform knows the peripheral, and a manager connects to it.
    public var id: PeerIdentifier
    /// Its name, if the platform knows one.
    public var name: String?
    /// The advertisements of the peripheral that the platform saw last.
    public var advertisements: PeripheralAdvertisements
    /// Whether the platform has a connection to it, of this program's or of another's.
    public var isConnected: Bool
    /// Whether there are keys for it; nil where the platform does not say.
    public var isBonded: Bool?

    /// Creates a description of a peripheral that the platform remembers.
    ///
    /// - Parameters:
    ///   - id: The identifier under which a manager can connect to it.
    ///   - name: The name that the platform remembers; nil where it has none.
    ///   - advertisements: The fields of its last advertisement that the platform remembers; none by default.
    ///   - isConnected: Whether the link to it is up, for this program or for another.
    ///   - isBonded: Whether the platform keeps keys for it; nil where the platform does not say.
    public init(
        id: PeerIdentifier, name: String? = nil,
        advertisements: PeripheralAdvertisements = PeripheralAdvertisements(), isConnected: Bool = false,
        isBonded: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.advertisements = advertisements
        self.isConnected = isConnected
        self.isBonded = isBonded
    }
}
