// SPDX-License-Identifier: MIT

/// The state of the registrations that the app can see: facts, and the events of advertisements.
extension PeripheralManager {
    /// When advertisements go on the air, are interrupted and end, from now on, in that order, none dropped. There is
    /// none for an advertisement that never was on the air: the call that was to start it throws.
    ///
    /// An event comes when it has happened: ``AdvertisingEvent/Kind/interrupted(_:)`` before the radio's new state. The
    /// stream ends with the manager, when released, and for a cancelled task; the end of the manager is not reported
    /// for each advertisement.
    public nonisolated func advertisingEvents() -> AsyncStream<AdvertisingEvent> {
        advertisingCaster.stream(capacity: .unbounded)
    }

    /// Brings the facts and events that the app sees up to date.
    ///
    /// - Parameter interruption: Why advertisements that are not on the air any more and are still wanted are not.
    func publish(interruption: PeripheralManagerError = .poweredOff) {
        var services: [MutableService] = []
        var characteristics: [MutableCharacteristic] = []
        for registration in registrations.values where registration.isWanted && registration.isEstablished {
            guard case .service(let service, let local) = registration.content else { continue }
            services.append(service)
            characteristics += local.characteristics.compactMap { characteristic(at: $0.id) }
        }
        let onAir = registrations.values.compactMap { registration in
            if case .advertisement(let id) = registration.id, registration.machine.stands { id } else { nil }
        }
        facts.withLock { facts in
            facts.services = services
            facts.characteristics = characteristics
            facts.onAir = Set(onAir)
        }
        wantedChanged()
        if isInvalidated { return }
        for registration in registrations.values { tellAirTime(of: registration, interruption) }
    }

    private func tellAirTime(of registration: Registration, _ interruption: PeripheralManagerError) {
        guard case .advertisement(let id, let advertisement) = registration.content else { return }
        let isThere =
            switch registration.machine.standing {
            case .present, .updating: true
            // An advertisement that is removed because a request was lost may never have been there.
            case .removing: registration.air.isToldOnAir
            case .absent, .adding, .unsure: false
            }
        let isOnAir = isThere && state == .poweredOn
        guard let kind = registration.air.tell(isOnAir: isOnAir, interruption: interruption) else { return }
        advertisingCaster.push(AdvertisingEvent(kind: kind, id: id, advertisement: advertisement))
    }

    // MARK: Timeouts of advertisements

    /// Starts an advertisement's time, when it goes on the air and again when it changes; interruptions count as well.
    func startTime(of registration: Registration) {
        stopTime(of: registration)
        guard registration.isWanted, case .advertisement(_, let advertisement) = registration.machine.confirmed,
            let timeout = advertisement.timeout
        else { return }
        let id = registration.id
        registration.air.deadline = after(timeout) { manager in
            manager.registrations[id]?.air.deadline = nil
            manager.withdraw(id, .removed, ending: .timeOver)
        }
    }

    func stopTime(of registration: Registration) {
        if let deadline = registration.air.deadline { cancelDeadline(deadline) }
        registration.air.deadline = nil
    }
}
