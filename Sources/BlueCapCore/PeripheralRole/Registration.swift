import BlueCapSerDe

/// Something that the platform keeps for a manager: a service or an advertisement, where it stands on the platform and where
/// it is wanted; touched on the manager only.
///
/// What a call asks for is written down here, and the manager goes one step after another from where things stand to where
/// they are wanted. So a call that gives up, the end of the power and a platform that forgets are all the same: what is
/// wanted, or what stands, changed.
final class Registration {
    enum ID: Hashable, Sendable {
        case service(AttributeID)
        case advertisement(AdvertisementID)
    }

    enum Content {
        case service(MutableService, LocalService)
        case advertisement(Advertisement)
    }

    /// Where it stands on the platform.
    enum Phase {
        case absent
        case adding
        case present
        case updating
        case removing
        /// A request was lost: the platform may have it or not.
        case unsure
    }

    /// What a caller waits for.
    enum Goal: Hashable {
        case present
        case updated(version: Int)
        case absent
    }

    struct Waiter {
        let goal: Goal
        var deadline: DeadlineQueue<PeripheralManager.Action>.Token?
        let resume: (PeripheralManagerError?) -> Void
    }

    let id: ID
    /// What it is to say.
    var content: Content
    /// What the platform was told last, and confirmed.
    var confirmed: Content?
    /// Counts the changes of ``content``; the platform has the one of `sentVersion`.
    var version = 0
    var sentVersion = 0
    var phase = Phase.absent
    var isWanted = true
    /// Whether it was there once, so that the manager brings it back by itself.
    var isEstablished = false
    /// Whether the platform refused it after it was wanted no more: then its removal, which is under way, may fail.
    var wasRefused = false
    /// Names the request that is under way; a reply to an earlier one is nobody's.
    var ticket: UInt64?
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// An advertisement's time, and what the app was told of it.
    var air = AirTime()

    init(_ id: ID, _ content: Content) {
        self.id = id
        self.content = content
    }

    var service: MutableService? { if case .service(let service, _) = content { service } else { nil } }

    var advertisement: Advertisement? { if case .advertisement(let value) = content { value } else { nil } }

    /// Whether it is a service that is wanted and was there, but is not at the moment.
    var isServiceToRestore: Bool {
        service != nil && isWanted && isEstablished && phase != .present
    }

    /// Whether the platform has it, for all we know.
    var stands: Bool { [.present, .updating, .removing].contains(phase) }

    var lane: PendingTable<PeripheralOperation, PeripheralManager.Completion>.Lane.Kind {
        service == nil ? .advertising : .database
    }

    // MARK: Operations

    var addition: PeripheralOperation? {
        switch (id, content) {
        case (_, .service(_, let local)): .add(local)
        case (.advertisement(let id), .advertisement(let value)): .advertise(id, value.withoutTimeout)
        case (.service, .advertisement): nil
        }
    }

    var change: PeripheralOperation? {
        guard case .advertisement(let id) = id, case .advertisement(let value) = content else { return nil }
        return .updateAdvertisement(id, value.withoutTimeout)
    }

    var removal: PeripheralOperation {
        switch id {
        case .service(let id): .remove(id)
        case .advertisement(let id): .stopAdvertising(id)
        }
    }
}

extension Advertisement {
    /// What the platform is told of it: its time is the manager's to keep, since a platform that starts anew forgets it.
    fileprivate var withoutTimeout: Advertisement {
        var advertisement = self
        advertisement.timeout = nil
        return advertisement
    }
}
