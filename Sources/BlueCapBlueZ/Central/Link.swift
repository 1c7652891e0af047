#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

/// One connection, or attempt at one, and everything that lives on it.
///
/// Its backend's alone. What comes later from elsewhere, as a timer, holds its name, which a later link to the same
/// device does not have.
final class Link {
    enum Phase: Equatable {
        /// `Connect` will be called: BlueZ is still busy with the link before, or with the agent.
        case postponed
        /// `Connect` was called.
        case connecting
        /// `Connect` ended without having met the device, or BlueZ forgot it meanwhile: the attempt begins anew soon.
        case interrupted
        /// `Connect` failed while BlueZ still says connected: told when that is over.
        case failing(OperationFailure)
        /// The manager took the attempt back.
        case aborting
        case connected
        case disconnecting

        /// Whether BlueZ was told to connect and may be at it, or done.
        var isWithBlueZ: Bool { self != .postponed && self != .interrupted }
    }

    /// Names one link in the life of its backend.
    struct Name: Sendable {
        let path: String
        let number: UInt64
    }

    let id: PeripheralIdentifier
    let name: Name
    var path: String { name.path }
    /// Requests to attributes that wait for the peer.
    var waiting: Set<RequestID> = []
    /// Requests that were answered here in the daemon's place; its own answers may still come.
    var abandoned: Set<RequestID> = []
    /// The request to pair that is under way.
    var pairing: BackendRequest?
    /// Whether `Pair` was called for it.
    var hasCalledPair = false
    /// What this process could show and take when the link was made.
    var capability: PairingCapability?
    /// Whether pairing was refused while requests waited for it: BlueZ cannot use the device's object any more.
    var isSpoilt = false
    /// Whether the link was up before this program asked for it.
    let isConnectedByOther: Bool
    var phase = Phase.postponed
    /// Whether `Connect` was answered for good.
    var hasReplied = false
    /// Whether a `Connect` is on its way; between two, somebody else's attempt is waited for.
    var awaitsReply = false
    /// When `Connect` was called, on the manager's clock.
    var began = Duration.zero
    /// Whether BlueZ has said that the device was connected, if only for a moment.
    var wasUp = false
    var reason: BackendFailure?
    var maximumTransmissionUnit: Int?

    /// Requests that wait for the services.
    var discoveries: [BackendRequest] = []
    /// Whether services were handed out: changes are news from then on.
    var isResolved = false
    var isRefreshing = false
    /// Whether everything that BlueZ resolved is in the mirror.
    var isComplete = false
    var changedServices: Set<AttributeID> = []
    /// Whether there are new ones among them.
    var hasNewServices = false
    var changeTimer: ClockTimer?

    var paths: [AttributeID: String] = [:]
    private(set) lazy var values = LinkValues(self)
    private(set) lazy var writers = LinkWriters(self)

    init(_ id: PeripheralIdentifier, name: Name, isConnectedByOther: Bool) {
        self.id = id
        self.name = name
        self.isConnectedByOther = isConnectedByOther
    }

    func closeSockets() {
        values.closeSockets()
        writers.closeSockets()
    }

    /// Keeps the reason that BlueZ gives where it says more than that the link is gone.
    func noteReason(_ name: String, _ text: String) {
        switch name {
        case "org.bluez.Reason.Authentication":
            reason = BackendFailure(
                name: name, message: text, advice: "The bond may be lost on one side: remove it and pair again")
        case "org.bluez.Reason.Suspend":
            reason = BackendFailure(name: name, message: text, isTransient: true)
        default: reason = nil
        }
    }
}
#endif
