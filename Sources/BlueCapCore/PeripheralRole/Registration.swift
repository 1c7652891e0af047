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
        let deadline: DeadlineQueue<PeripheralManager.Action>.Token?
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

    var lane: PeripheralManager.Lane.Kind {
        service == nil ? .advertising : .database
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

extension Advertisement {
    /// The advertisement for the platform, without its timeout: the manager keeps the time, since a platform that
    /// restarts forgets it.
    fileprivate var withoutTimeout: Advertisement {
        var advertisement = self
        advertisement.timeout = nil
        return advertisement
    }
}
