// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Carries out the actions that the machines of the registrations ask for.
extension PeripheralManager {
    /// Moves one step; each step's answer calls this again.
    func settle(_ registration: Registration) {
        // Centrals that see the advertisement find the services.
        let mayBeAdded = registration.service != nil || !registrations.values.contains(where: \.isServiceToRestore)
        let isRadioOn = state == .poweredOn && !isClosed
        let action = registration.machine.settle(isRadioOn: isRadioOn, mayBeAdded: mayBeAdded)
        if let action { carryOut(action, for: registration, nil) }
    }

    func settleAll() { for registration in registrations.values { settle(registration) } }

    private func carryOut(
        _ action: Registration.Machine.Action, for registration: Registration, _ error: PeripheralManagerError?
    ) {
        switch action {
        case .send(let request): send(request, of: registration)
        case .answer(let goals, let isFailed): resolve(registration, isFailed ? error : nil, goals)
        case .publish: publish()
        case .startTime: startTime(of: registration)
        case .giveUp(let isReported):
            let error = error ?? .unsupported
            withdraw(registration.id, error, ending: .refused(error))
            if isReported { report(registration, error) }
        case .withdraw: withdraw(registration.id, error ?? .unsupported)
        case .forget:
            registrations[registration.id] = nil
            publish()
            resolve(registration, nil, .absence)
        }
    }

    private func send(_ request: Registration.Machine.Request, of registration: Registration) {
        let id = registration.id
        begin(registration.operation(of: request), in: registration.lane) { manager, outcome in
            if let registration = manager.registrations[id] { manager.answered(request, of: registration, outcome) }
        }
    }

    private func answered(
        _ request: Registration.Machine.Request, of registration: Registration, _ outcome: Outcome
    ) {
        var error: PeripheralManagerError?
        if case .reply = outcome {} else { error = PeripheralManagerError(outcome) }
        guard let actions = registration.machine.answered(request, isRefused: error != nil) else { return }
        for action in actions { carryOut(action, for: registration, error) }
        settle(registration)
        // Advertisements wait until the services are there again.
        if registration.service != nil { settleAll() }
    }

    func report(_ registration: Registration, _ error: PeripheralManagerError) {
        let failure = RegistrationFailure(subject: registration.subject, error: error)
        switch failure.subject {
        case .service(let service):
            logger.warning(
                "a service is not offered any more", ["service": "\(service.uuid)", "failure": "\(error)"])
        case .advertisement:
            logger.warning("an advertisement is not on the air any more", ["failure": "\(error)"])
        }
        failureCaster.push(failure)
    }

    // MARK: Wanted no more

    /// Withdraws a registration: its waiting callers get the error, its handles are free at once, and the platform is
    /// asked to remove it as soon as possible. Services that include a withdrawn one, which the platform could not
    /// keep, are withdrawn too.
    func withdraw(_ id: Registration.ID, _ error: PeripheralManagerError, ending end: AdvertisementEnd = .stopped) {
        guard let registration = registrations[id], registration.machine.withdraw() else { return }
        registration.air.reason = end
        stopTime(of: registration)
        if case .service(let service, let local) = registration.content {
            for including in services(including: local.id) {
                let wasThere = including.isEstablished
                let error = PeripheralManagerError.includedServiceNotAdded(service.uuid)
                withdraw(including.id, error)
                if wasThere { report(including, error) }
            }
            release(service, local)
        }
        if id == mainAdvertisement.map(Registration.ID.advertisement) { mainAdvertisement = nil }
        publish()
        resolve(registration, error, .standing)
        settle(registration)
        if registration.service != nil { settleAll() }
    }

    /// The radio went off with whatever was under way; no answer of the backend follows.
    func suspendRegistrations(_ error: PeripheralManagerError) {
        for registration in registrations.values {
            for action in registration.machine.suspend() { carryOut(action, for: registration, error) }
        }
        publish(interruption: error)
    }

    /// The platform has forgotten everything.
    func registrationsLost() {
        logger.debug("the system's Bluetooth service has forgotten what was added and advertised")
        for registration in registrations.values { registration.machine.forgotten() }
        for case .characteristic(let characteristic) in attributes.values {
            updates.endSubscriptions(to: characteristic, self)
        }
        publish(interruption: .backend(Self.forgotten))
        settleAll()
    }

    private static let forgotten = BackendFailure(
        name: "BlueCap.RegistrationsLost", message: "the system's Bluetooth service has forgotten what was advertised",
        isTransient: true)

    // MARK: Waiting

    /// Waits until it is there. The last caller that gives up takes it back.
    func waitUntilPresent(
        _ id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        do throws(PeripheralManagerError) {
            try await wait(for: .present, of: id, timeout: timeout, timeoutError: timeoutError)
        } catch {
            if let registration = registrations[id], !registration.isEstablished,
                !registration.waiters.contains(where: { $0.value.goal == .present })
            {
                // Why this caller gave up is not why the others' changes of it are over.
                withdraw(id, .removed)
            }
            throw error
        }
    }

    func waitUntilAbsent(
        _ id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        // Without the radio there is nothing to wait for: the removal is requested when the radio is back.
        if registrations[id] == nil || state != .poweredOn { return }
        try await wait(for: .absent, of: id, timeout: timeout, timeoutError: timeoutError)
    }

    func wait(
        for goal: RegistrationGoal, of id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        let number = makeNumber()
        let error: PeripheralManagerError? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .cancelled) }
                guard let registration = registrations[id] else {
                    return continuation.resume(returning: goal == .absent ? nil : .removed)
                }
                let token = timeout.map { timeout in
                    after(timeout) { $0.resolve(number, of: id, timeoutError) }
                }
                registration.waiters[number] = .init(goal: goal, deadline: token) { continuation.resume(returning: $0) }
                settle(registration)
            }
        } onCancel: {
            later { $0.resolve(number, of: id, .cancelled) }
        }
        if let error { throw error }
    }

    func resolve(_ number: UInt64, of id: Registration.ID, _ error: PeripheralManagerError) {
        if let registration = registrations[id] { resolve(number, of: registration, error) }
    }

    private func resolve(_ number: UInt64, of registration: Registration, _ error: PeripheralManagerError?) {
        guard let waiter = registration.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(error)
    }

    /// Answers the callers that wait for one of the goals.
    func resolve(
        _ registration: Registration, _ error: PeripheralManagerError?, _ goals: RegistrationGoal.Filter
    ) {
        for (number, waiter) in registration.waiters where goals.matches(waiter.goal) {
            resolve(number, of: registration, error)
        }
    }
}
