import BlueCapSerDe

/// Who listens to one characteristic, and where its notifications stand on the radio; touched on the manager only.
///
/// Listeners are registered before notifications are switched on, so that the first value finds them; the last one to leave
/// has them switched off. A hold (``Characteristic/startNotifying(transport:timeout:)``) counts as a listener.
final class SubscriptionRecord {
    typealias Box = Mailbox<Bytes, CharacteristicError>

    /// Where notifications stand, between the manager and the backend.
    enum Phase {
        case off
        case enabling
        case on
        case disabling
    }

    struct Listener {
        let box: Box
        let onDisconnect: DisconnectPolicy
    }

    /// A caller that waits until notifications are on, or off.
    struct Waiter {
        let wantsOn: Bool
        var deadline: CentralManager.Deadlines.Token?
        let resume: (CharacteristicError?) -> Void
    }

    /// The characteristic; another object takes its place when a new discovery finds it again after a reconnection.
    var characteristic: Characteristic
    var phase = Phase.off
    var transport = NotificationTransport.standard
    /// The calls of ``Characteristic/startNotifying(transport:timeout:)`` that were not taken back.
    var holds: Set<UInt64> = []
    /// Names the request that is under way; a reply to an earlier one is nobody's.
    var ticket: UInt64?
    var listeners: OrderedTable<UInt64, Listener> = [:]
    /// What came for the app, which had this subscription restored and does not listen yet; nil when it is not restored, and
    /// from the first listener on. Counts as a listener.
    var held: HeldValues?
    var waiters: OrderedTable<UInt64, Waiter> = [:]

    init(_ characteristic: Characteristic) { self.characteristic = characteristic }

    /// The manager was released: nothing comes any more.
    deinit {
        for listener in listeners.values { listener.box.finish(.invalidated) }
        for waiter in waiters.values { waiter.resume(.invalidated) }
    }

    /// Whether anybody wants notifications on.
    var isWanted: Bool { !holds.isEmpty || !listeners.isEmpty || held != nil }

    /// Whether there is nothing left to remember.
    var isIdle: Bool { !isWanted && phase == .off && waiters.isEmpty }
}

/// What a sequence of notifications does when the connection ends.
public enum DisconnectPolicy: Sendable, Hashable {
    /// It ends with the error.
    case end
    /// It goes on: after the next connection the manager discovers the characteristic again and switches its
    /// notifications on. Values sent in between are lost; the peer has nobody to send them to.
    case resubscribe
}
