// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Something that the platform keeps for a manager, a service or an advertisement, with the callers that wait for it;
/// touched on the manager only.
final class Registration {
    enum ID: Hashable, Sendable {
        case service(AttributeID)
        case advertisement(AdvertisementID)
    }

    enum Content: Sendable {
        case service(MutableService, LocalService)
        case advertisement(AdvertisementID, Advertisement)

        var id: ID {
            switch self {
            case .service(_, let local): .service(local.id)
            case .advertisement(let id, _): .advertisement(id)
            }
        }
    }

    typealias Machine = RegistrationMachine<Content>

    struct Waiter {
        let goal: RegistrationGoal
        let deadline: DeadlineToken?
        let resume: (PeripheralManagerError?) -> Void
    }

    let id: ID
    /// Where it stands and where it is wanted.
    var machine: Machine
    var waiters: OrderedTable<UInt64, Waiter> = [:]
    /// An advertisement's time, and its last state that was reported to the app.
    var air = AirTime()

    init(_ content: Content, isEstablished: Bool = false) {
        id = content.id
        machine = Machine(content, isEstablished: isEstablished)
    }

    var content: Content { machine.content }

    var isWanted: Bool { machine.isWanted }

    var isEstablished: Bool { machine.isEstablished }

    /// Whether it is a service that is to be brought back and is not there yet.
    var isServiceToRestore: Bool { service != nil && machine.isToBeRestored }

    var service: MutableService? { if case .service(let service, _) = content { service } else { nil } }

    var advertisement: Advertisement? { if case .advertisement(_, let value) = content { value } else { nil } }

    var subject: RegistrationFailure.Subject {
        switch content {
        case .service(let service, _): .service(service)
        case .advertisement(_, let advertisement): .advertisement(advertisement)
        }
    }

    /// Returns the operation of the platform for a request of the machine.
    func operation(of request: Machine.Request) -> PeripheralOperation {
        switch (request.content, request.step) {
        case (.service(_, let local), .remove): .remove(local.id)
        // A service that is added does not change, so there is no update of a service.
        case (.service(_, let local), .add), (.service(_, let local), .update): .add(local)
        case (.advertisement(let id, let value), .add): .advertise(id, value.withoutTimeout)
        case (.advertisement(let id, let value), .update): .updateAdvertisement(id, value.withoutTimeout)
        case (.advertisement(let id, _), .remove): .stopAdvertising(id)
        }
    }
}

/// What a caller waits for, of a service or an advertisement.
enum RegistrationGoal: Hashable {
    case present
    case updated(version: Int)
    case absent

    /// Some of the goals.
    enum Filter: Hashable {
        case all
        /// Those of callers that want it to be there.
        case standing
        case updates
        /// Those that are reached when the platform has this version.
        case reached(version: Int)
        case absence

        func matches(_ goal: RegistrationGoal) -> Bool {
            switch (self, goal) {
            case (.all, _), (.standing, .present), (.standing, .updated), (.updates, .updated), (.reached, .present),
                (.absence, .absent):
                true
            case (.reached(let version), .updated(let awaited)): awaited <= version
            case (.standing, .absent), (.updates, _), (.reached, .absent), (.absence, _): false
            }
        }
    }
}

/// An advertisement's deadline, and the last event that the app received about it.
struct AirTime {
    private enum Told {
        case nothing
        case onAir
        case interrupted
    }

    /// The deadline that ends the advertisement when its time is over.
    var deadline: DeadlineToken?
    /// The reason why the advertisement is no longer wanted; nil while it is wanted.
    var reason: AdvertisementEnd?
    private var reported = Told.nothing

    /// A Boolean value that is true if the last event reported that the advertisement is on the air.
    var isToldOnAir: Bool { reported == .onAir }

    /// Returns the event that the app has not received yet; nil if there is none.
    ///
    /// - Parameters:
    ///   - isOnAir: A Boolean value that is true if the advertisement is on the air now.
    ///   - interruption: The reason why a wanted advertisement is not on the air.
    mutating func report(isOnAir: Bool, interruption: PeripheralManagerError) -> AdvertisingEvent.Kind? {
        switch (reported, isOnAir, reason) {
        case (.onAir, true, _), (.nothing, false, _), (.interrupted, false, nil):
            return nil
        case (.nothing, true, _), (.interrupted, true, _):
            reported = .onAir
            return .started
        case (.onAir, false, nil):
            reported = .interrupted
            return .interrupted(interruption)
        case (.onAir, false, let reason?), (.interrupted, false, let reason?):
            reported = .nothing
            return .ended(reason)
        }
    }
}

extension Advertisement {
    /// The advertisement for the platform, without its timeout: the manager keeps the time, since a platform that
    /// restarts forgets it.
    fileprivate var withoutTimeout: Advertisement {
        var advertisement = self
        advertisement.timeout = nil
        return advertisement
    }
}

/// A service or an advertisement that is not offered any more, although the app did not end it.
public struct RegistrationFailure: Sendable, CustomStringConvertible {
    /// A service or an advertisement, as the app offered it.
    public enum Subject: Sendable, Hashable {
        /// A service. In a failure it is one that could not be added again after the platform had forgotten it; its
        /// characteristics keep their values, and it can be added again.
        case service(MutableService)
        /// An advertisement. In a failure it is one that could not be put on the air again, or that the platform took
        /// down.
        case advertisement(Advertisement)
    }

    /// The service or the advertisement that is not offered any more.
    public let subject: Subject
    /// The error with which the platform ended it, or refused to take it again.
    public let error: PeripheralManagerError

    /// The subject and the reason.
    public var description: String {
        switch subject {
        case .service(let service): "\(service) is not offered any more: \(error)"
        case .advertisement: "the advertisement is not on the air any more: \(error)"
        }
    }
}
