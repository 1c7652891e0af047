import BlueCapSerDe

/// From where things stand on the platform to where they are wanted, one step after another.
extension PeripheralManager {
    /// Moves one step; each step's reply calls this again.
    func settle(_ registration: Registration) {
        if registration.phase == .absent, !registration.isWanted { return forget(registration) }
        if state != .poweredOn || isInvalidated { return }
        switch (registration.phase, registration.isWanted) {
        case (.absent, true):
            // Centrals that see the advertisement find the services.
            if registration.service == nil, registrations.values.contains(where: \.isServiceToRestore) { return }
            registration.phase = .adding
            registration.wasRefused = false
            if let addition = registration.addition { request(addition, of: registration) }
        case (.present, true) where registration.sentVersion != registration.version:
            registration.phase = .updating
            if let change = registration.change { request(change, of: registration) }
        case (.present, true):
            resolve(registration, nil) { $0 != .absent }
        case (.present, false), (.unsure, _), (.adding, false), (.updating, false):
            // Goes out behind what is under way for it, and before what is begun later.
            registration.phase = .removing
            request(registration.removal, of: registration)
        case (.adding, true), (.updating, true), (.removing, _), (.absent, false): break
        }
    }

    func settleAll() { for registration in registrations.values { settle(registration) } }

    private func request(_ operation: PeripheralOperation, of registration: Registration) {
        let ticket = makeNumber()
        let id = registration.id
        let version = registration.version
        let content = registration.content
        let isAddition = registration.phase == .adding
        registration.ticket = ticket
        begin(operation, in: registration.lane) { manager, outcome in
            guard let registration = manager.registrations[id] else { return }
            guard registration.ticket == ticket else {
                if case .failed = outcome, isAddition { registration.wasRefused = true }
                return
            }
            registration.ticket = nil
            manager.stepped(registration, version, content, outcome)
        }
    }

    private func stepped(
        _ registration: Registration, _ version: Int, _ content: Registration.Content, _ outcome: Outcome
    ) {
        let phase = registration.phase
        var error: PeripheralManagerError?
        if case .reply = outcome {} else { error = PeripheralManagerError(outcome) }
        switch phase {
        case .adding where error == nil, .updating where error == nil:
            registration.phase = .present
            let isNew = registration.confirmed == nil || registration.sentVersion != version
            registration.sentVersion = version
            // Of a service only its place changes, which the platform may have told by now.
            registration.confirmed = registration.service == nil ? content : registration.content
            if isNew { startTime(of: registration) }
            if registration.isWanted { registration.isEstablished = true }
            publish()
            resolve(registration, nil) { goal in
                if case .updated(let awaited) = goal { awaited <= version } else { goal == .present }
            }
        case .adding:
            registration.phase = .absent
            failed(registration, error ?? .unsupported)
        case .updating:
            registration.phase = .present
            revert(registration, error ?? .unsupported)
        case .removing:
            // A refusal leaves the platform as it was for all we know; nobody wants it, so it is taken for done.
            registration.phase = .absent
            publish()
            if !registration.isWanted {
                resolve(registration, registration.wasRefused ? nil : error) { $0 == .absent }
            }
        case .absent, .present, .unsure: break
        }
        settle(registration)
        // Advertisements wait until the services are there again.
        if registration.service != nil { settleAll() }
    }

    /// It could not be added: its callers are told, or everybody, if the manager did it by itself.
    private func failed(_ registration: Registration, _ error: PeripheralManagerError) {
        let wasRestored = registration.isEstablished && registration.isWanted
        withdraw(registration.id, error, ending: .refused(error))
        if wasRestored { report(registration, error) }
    }

    /// A change was refused: what the platform has counts again.
    private func revert(_ registration: Registration, _ error: PeripheralManagerError) {
        if let confirmed = registration.confirmed { registration.content = confirmed }
        registration.version = registration.sentVersion
        resolve(registration, error) { if case .updated = $0 { true } else { false } }
    }

    func report(_ registration: Registration, _ error: PeripheralManagerError) {
        let subject: RegistrationFailure.Subject
        switch registration.content {
        case .service(let service, _): subject = .service(service)
        case .advertisement(let advertisement): subject = .advertisement(advertisement)
        }
        let failure = RegistrationFailure(subject: subject, error: error)
        logger.warning(failure.logText)
        failureCaster.push(failure)
    }

    // MARK: Wanted no more

    /// Wants it no more: callers that wait for it are told, handles are free at once, and the platform is told as soon as it
    /// can be. With a service go those that include it, which the platform could not keep.
    func withdraw(_ id: Registration.ID, _ error: PeripheralManagerError, ending end: AdvertisementEnd = .stopped) {
        guard let registration = registrations[id], registration.isWanted else { return }
        registration.isWanted = false
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
        resolve(registration, error) { $0 != .absent }
        settle(registration)
        if registration.service != nil { settleAll() }
    }

    private func forget(_ registration: Registration) {
        registrations[registration.id] = nil
        publish()
        resolve(registration, nil) { $0 == .absent }
    }

    /// The radio went off with whatever was under way; no answer of the backend follows.
    func suspendRegistrations(_ error: PeripheralManagerError) {
        for registration in registrations.values {
            registration.ticket = nil
            switch registration.phase {
            case .adding, .updating, .removing: registration.phase = .unsure
            case .absent, .present, .unsure: break
            }
            if let confirmed = registration.confirmed { registration.content = confirmed }
            registration.version = registration.sentVersion
            resolve(registration, error)
            if !registration.isEstablished { withdraw(registration.id, error) }
        }
        publish(interruption: error)
    }

    /// The platform has forgotten everything.
    func registrationsLost() {
        logger.debug("the system's Bluetooth service has forgotten what was added and advertised")
        for registration in registrations.values {
            switch registration.phase {
            case .present, .unsure, .updating, .removing:
                registration.ticket = nil
                registration.phase = .absent
            case .adding, .absent: break
            }
        }
        for case .characteristic(let characteristic) in attributes.values { endSubscriptions(to: characteristic) }
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
                withdraw(id, error)
            }
            throw error
        }
    }

    func waitUntilAbsent(
        _ id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
    ) async throws(PeripheralManagerError) {
        // Without the radio there is nothing to wait for: the platform is told when it is back.
        if registrations[id] == nil || state != .poweredOn { return }
        try await wait(for: .absent, of: id, timeout: timeout, timeoutError: timeoutError)
    }

    func wait(
        for goal: Registration.Goal, of id: Registration.ID, timeout: Duration?, timeoutError: PeripheralManagerError
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

    private func resolve(_ number: UInt64, of id: Registration.ID, _ error: PeripheralManagerError) {
        if let registration = registrations[id] { resolve(number, of: registration, error) }
    }

    private func resolve(_ number: UInt64, of registration: Registration, _ error: PeripheralManagerError?) {
        guard let waiter = registration.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(error)
    }

    /// Answers those who wait for a goal.
    func resolve(
        _ registration: Registration, _ error: PeripheralManagerError?,
        where isMeant: (Registration.Goal) -> Bool = { _ in true }
    ) {
        for (number, waiter) in registration.waiters where isMeant(waiter.goal) {
            resolve(number, of: registration, error)
        }
    }
}
