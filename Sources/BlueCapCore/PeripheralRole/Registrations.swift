// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The services and advertisements that the platform has, or is to have: carries out the actions that their machines
/// ask for.
///
/// Touched on the manager only.
final class Registrations {
    let database: LocalDatabase
    private let published: PublishedPeripheralState
    /// In the order of the calls.
    private var table: OrderedTable<Registration.ID, Registration> = [:]
    /// The advertisement of ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``.
    private(set) var mainAdvertisement: AdvertisementID?
    private var lastAdvertisement: UInt32 = 0

    init(_ database: LocalDatabase, _ published: PublishedPeripheralState) {
        self.database = database
        self.published = published
    }

    /// All of them, in the order of the calls; those included that are being removed.
    var all: [Registration] { Array(table.values) }

    /// Those that are offered as soon as the radio is on.
    var kept: [Registration] { table.values.filter { $0.isWanted && $0.isEstablished } }

    subscript(id: Registration.ID) -> Registration? { table[id] }

    // MARK: Services

    /// Takes a service for the manager, with its attributes.
    ///
    /// - Parameters:
    ///   - service: The service to add.
    ///   - handle: The place to ask for; 0 for any place, which is then reported, and nil for any.
    ///   - isEstablished: Whether an earlier program offered it.
    ///   - owner: The manager.
    func add(
        _ service: MutableService, handle: UInt16?, isEstablished: Bool = false, _ owner: isolated some PeripheralOwner
    ) throws(PeripheralManagerError) -> Registration.ID {
        let included = try service.includedServices.map { other throws(PeripheralManagerError) -> AttributeID in
            guard let registration = other.registration, registration.manager === owner.manager,
                table[.service(registration.id)] != nil
            else { throw .includedServiceNotAdded(other.uuid) }
            return registration.id
        }
        let local = try database.claim(service, handle: handle, including: included, owner)
        return add(Registration(.service(service, local), isEstablished: isEstablished))
    }

    private func add(_ registration: Registration) -> Registration.ID {
        table[registration.id] = registration
        return registration.id
    }

    /// The services that include a service, as they were added or are being added.
    func services(including id: AttributeID) -> [Registration] {
        table.values.filter { registration in
            guard registration.isWanted, case .service(_, let local) = registration.content else { return false }
            return local.includedServices.contains(id)
        }
    }

    /// The platform tells where a service stands in its database.
    func placed(_ id: AttributeID, at handle: UInt16, _ owner: isolated some PeripheralOwner) {
        guard let registration = table[.service(id)], registration.isWanted,
            case .service(let service, var local) = registration.content
        else { return }
        local.handle = handle
        registration.machine.placed(.service(service, local))
        owner.restorationChanged()
    }

    // MARK: Advertisements

    /// Takes an advertisement of the app.
    func add(_ advertisement: Advertisement, isMain: Bool = false, isEstablished: Bool = false) -> AdvertisementID {
        lastAdvertisement += 1
        let id = AdvertisementID(rawValue: lastAdvertisement)
        _ = add(Registration(.advertisement(id, advertisement), isEstablished: isEstablished))
        if isMain { mainAdvertisement = id }
        return id
    }

    func advertisingEnded(_ id: AdvertisementID, _ failure: BackendFailure, _ owner: isolated some PeripheralOwner) {
        guard let registration = table[.advertisement(id)], registration.machine.ended() else { return }
        let wasWanted = registration.isWanted
        let error = PeripheralManagerError.backend(failure)
        withdraw(registration.id, error, ending: .refused(error), owner)
        reconcile(registration, owner)
        if wasWanted { report(registration, error, owner) }
    }

    // MARK: Steps

    /// Moves one step; each step's answer calls this again.
    private func reconcile(_ registration: Registration, _ owner: isolated some PeripheralOwner) {
        // Centrals that see the advertisement find the services.
        let mayBeAdded = registration.service != nil || !table.values.contains(where: \.isServiceToRestore)
        let isRadioOn = owner.state == .poweredOn && !owner.isClosed
        let action = registration.machine.reconcile(isRadioOn: isRadioOn, mayBeAdded: mayBeAdded)
        if let action { carryOut(action, for: registration, nil, owner) }
    }

    /// Moves all of them one step.
    func settleAll(_ owner: isolated some PeripheralOwner) {
        for registration in table.values { reconcile(registration, owner) }
    }

    private func carryOut(
        _ action: Registration.Machine.Action, for registration: Registration, _ error: PeripheralManagerError?,
        _ owner: isolated some PeripheralOwner
    ) {
        switch action {
        case .send(let request): send(request, of: registration, owner)
        case .answer(let goals, let isFailed): resolve(registration, isFailed ? error : nil, goals, owner)
        case .publish: publish(owner)
        case .startTime: startTime(of: registration, owner)
        case .giveUp(let isReported):
            let error = error ?? .unsupported
            withdraw(registration.id, error, ending: .refused(error), owner)
            if isReported { report(registration, error, owner) }
        case .withdraw: withdraw(registration.id, error ?? .unsupported, owner)
        case .forget:
            table[registration.id] = nil
            publish(owner)
            resolve(registration, nil, .absence, owner)
        }
    }

    private func send(
        _ request: Registration.Machine.Request, of registration: Registration, _ owner: isolated some PeripheralOwner
    ) {
        let id = registration.id
        owner.begin(registration.operation(of: request), in: registration.service == nil ? .advertising : .database) {
            $0.registrations.answered(request, of: id, $1, $0)
        }
    }

    private func answered(
        _ request: Registration.Machine.Request, of id: Registration.ID, _ outcome: Outcome,
        _ owner: isolated some PeripheralOwner
    ) {
        guard let registration = table[id] else { return }
        var error: PeripheralManagerError?
        if case .reply = outcome {} else { error = PeripheralManagerError(outcome) }
        guard let actions = registration.machine.answered(request, isRefused: error != nil) else { return }
        for action in actions { carryOut(action, for: registration, error, owner) }
        reconcile(registration, owner)
        // Advertisements wait until the services are there again.
        if registration.service != nil { settleAll(owner) }
    }

    private func report(
        _ registration: Registration, _ error: PeripheralManagerError, _ owner: isolated some PeripheralOwner
    ) {
        let failure = RegistrationFailure(subject: registration.subject, error: error)
        switch failure.subject {
        case .service(let service):
            owner.logger.warning(
                "a service is not offered any more", ["service": "\(service.uuid)", "failure": "\(error)"])
        case .advertisement:
            owner.logger.warning("an advertisement is not on the air any more", ["failure": "\(error)"])
        }
        published.failures.push(failure)
    }

    // MARK: Wanted no more

    /// Withdraws a registration: its waiting callers get the error, its handles are free at once, and the platform is
    /// asked to remove it as soon as possible. Services that include a withdrawn one, which the platform could not
    /// keep, are withdrawn too.
    func withdraw(
        _ id: Registration.ID, _ error: PeripheralManagerError, ending end: AdvertisementEnd = .stopped,
        _ owner: isolated some PeripheralOwner
    ) {
        guard let registration = table[id], registration.machine.withdraw() else { return }
        registration.air.reason = end
        stopTime(of: registration, owner)
        if case .service(let service, let local) = registration.content {
            for including in services(including: local.id) {
                let wasThere = including.isEstablished
                let error = PeripheralManagerError.includedServiceNotAdded(service.uuid)
                withdraw(including.id, error, owner)
                if wasThere { report(including, error, owner) }
            }
            database.release(service, local, owner)
        }
        if id == mainAdvertisement.map(Registration.ID.advertisement) { mainAdvertisement = nil }
        publish(owner)
        resolve(registration, error, .standing, owner)
        reconcile(registration, owner)
        if registration.service != nil { settleAll(owner) }
    }

    /// Withdraws a registration that never was there, if no caller waits for it any more.
    func withdrawIfUnawaited(_ id: Registration.ID, _ owner: isolated some PeripheralOwner) {
        guard let registration = table[id], !registration.isEstablished,
            !registration.waiters.contains(where: { $0.value.goal == .present })
        else { return }
        // Why this caller gave up is not why the others' changes of it are over.
        withdraw(id, .removed, owner)
    }

    /// The radio went off with whatever was under way; no answer of the backend follows.
    func suspend(_ error: PeripheralManagerError, _ owner: isolated some PeripheralOwner) {
        for registration in table.values {
            for action in registration.machine.suspend() { carryOut(action, for: registration, error, owner) }
        }
        publish(interruption: error, owner)
    }

    /// The platform has forgotten everything.
    func forgotten(_ owner: isolated some PeripheralOwner) {
        owner.logger.debug("the system's Bluetooth service has forgotten what was added and advertised")
        for registration in table.values { registration.machine.forgotten() }
        for characteristic in database.characteristics { owner.updates.endSubscriptions(to: characteristic, owner) }
        publish(interruption: .backend(.registrationsForgotten), owner)
        settleAll(owner)
    }

    /// The manager is closed: the callers that still wait get `.invalidated`.
    func end(_ owner: isolated some PeripheralOwner) {
        for registration in table.values { resolve(registration, .invalidated, .all, owner) }
        table = [:]
        publish(owner)
    }

    // MARK: Waiting

    /// Calls `resume` once, on the manager, when the goal is reached or cannot be reached, or when the time has passed.
    func wait(
        _ number: UInt64, for goal: RegistrationGoal, of id: Registration.ID, timeout: Duration?,
        timeoutError: PeripheralManagerError, _ owner: isolated some PeripheralOwner,
        resume: @escaping (PeripheralManagerError?) -> Void
    ) {
        guard let registration = table[id] else { return resume(goal == .absent ? nil : .removed) }
        let deadline = timeout.map { timeout in
            owner.after(timeout) { $0.registrations.resolve(number, of: id, timeoutError, $0) }
        }
        registration.waiters[number] = .init(goal: goal, deadline: deadline, resume: resume)
        reconcile(registration, owner)
    }

    /// Answers a caller that waits; does nothing if it was answered.
    func resolve(
        _ number: UInt64, of id: Registration.ID, _ error: PeripheralManagerError?,
        _ owner: isolated some PeripheralOwner
    ) {
        if let registration = table[id] { resolve(number, of: registration, error, owner) }
    }

    private func resolve(
        _ number: UInt64, of registration: Registration, _ error: PeripheralManagerError?,
        _ owner: isolated some PeripheralOwner
    ) {
        guard let waiter = registration.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(error)
    }

    /// Answers the callers that wait for one of the goals.
    private func resolve(
        _ registration: Registration, _ error: PeripheralManagerError?, _ goals: RegistrationGoal.Filter,
        _ owner: isolated some PeripheralOwner
    ) {
        for (number, waiter) in registration.waiters where goals.matches(waiter.goal) {
            resolve(number, of: registration, error, owner)
        }
    }

    // MARK: Published state

    /// Brings the facts and events that the app sees up to date.
    ///
    /// - Parameters:
    ///   - interruption: Why advertisements that are not on the air any more and are still wanted are not.
    ///   - owner: The manager.
    func publish(interruption: PeripheralManagerError = .poweredOff, _ owner: isolated some PeripheralOwner) {
        var services: [MutableService] = []
        var characteristics: [MutableCharacteristic] = []
        for registration in kept {
            guard case .service(let service, let local) = registration.content else { continue }
            services.append(service)
            characteristics += local.characteristics.compactMap { database.characteristic(at: $0.id) }
        }
        let onAir = table.values.compactMap { registration in
            if case .advertisement(let id) = registration.id, registration.machine.stands { id } else { nil }
        }
        published.facts.withLock { facts in
            facts.services = services
            facts.characteristics = characteristics
            facts.onAir = Set(onAir)
        }
        owner.restorationChanged()
        if owner.isInvalidated { return }
        for registration in table.values { tellAirTime(of: registration, interruption, owner) }
    }

    private func tellAirTime(
        of registration: Registration, _ interruption: PeripheralManagerError, _ owner: isolated some PeripheralOwner
    ) {
        guard case .advertisement(let id, let advertisement) = registration.content else { return }
        let isThere =
            switch registration.machine.standing {
            case .present, .updating: true
            // An advertisement that is removed because a request was lost may never have been there.
            case .removing: registration.air.isToldOnAir
            case .absent, .adding, .unsure: false
            }
        let isOnAir = isThere && owner.state == .poweredOn
        guard let kind = registration.air.report(isOnAir: isOnAir, interruption: interruption) else { return }
        published.advertisingEvents.push(AdvertisingEvent(kind: kind, id: id, advertisement: advertisement))
    }

    // MARK: Timeouts of advertisements

    /// Starts an advertisement's time, when it goes on the air and again when it changes; interruptions count as well.
    private func startTime(of registration: Registration, _ owner: isolated some PeripheralOwner) {
        stopTime(of: registration, owner)
        guard registration.isWanted, case .advertisement(_, let advertisement) = registration.machine.confirmed,
            let timeout = advertisement.timeout
        else { return }
        let id = registration.id
        registration.air.deadline = owner.after(timeout) { $0.registrations.timeIsOver(of: id, $0) }
    }

    private func timeIsOver(of id: Registration.ID, _ owner: isolated some PeripheralOwner) {
        table[id]?.air.deadline = nil
        withdraw(id, .removed, ending: .timeOver, owner)
    }

    private func stopTime(of registration: Registration, _ owner: isolated some PeripheralOwner) {
        if let deadline = registration.air.deadline { owner.cancelDeadline(deadline) }
        registration.air.deadline = nil
    }
}

extension BackendFailure {
    fileprivate static let registrationsForgotten = BackendFailure(
        name: "BlueCap.RegistrationsLost", message: "the system's Bluetooth service has forgotten what was advertised",
        isTransient: true)
}
