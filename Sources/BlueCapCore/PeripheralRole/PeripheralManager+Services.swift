// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Adding and removing services, at any time.
extension PeripheralManager {
    /// Offers a service to centrals, with the characteristics, descriptors and included services that it has now.
    ///
    /// A service that cannot be added leaves all others as they are. One that several calls add at once is added by the
    /// first of them.
    ///
    /// - Parameters:
    ///   - service: The service to offer, which is not offered by any manager yet.
    ///   - timeout: How long it may take, from the call, the wait for earlier additions and removals included; nil for
    ///     as long as the platform takes.
    /// - Throws: `.alreadyAdded` when it, or one of its characteristics, is added to a manager;
    ///   `.includedServiceNotAdded`; `.addServiceTimeout` and `.cancelled`, with which it is removed again; `.removed`
    ///   when it is removed meanwhile; `.poweredOff`; `.invalidated`; `.unsupported`; `.backend`.
    public func add(_ service: MutableService, timeout: Duration? = nil) async throws(PeripheralManagerError) {
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        if Task.isCancelled { throw .cancelled }
        // The place is asked for only where it is of use: to a program that comes after this one.
        let local = try claim(service, handle: journal.isKept ? 0 : nil)
        let registration = Registration(.service(service, local))
        registrations[registration.id] = registration
        try await waitUntilPresent(registration.id, timeout: timeout, timeoutError: .addServiceTimeout)
    }

    /// Offers several services, in order; with an error none of them.
    ///
    /// - Parameters:
    ///   - services: The services to offer, included services before those that include them.
    ///   - timeout: How long each may take.
    /// - Throws: as ``add(_:timeout:)-(MutableService,_)``.
    public func add(_ services: [MutableService], timeout: Duration? = nil) async throws(PeripheralManagerError) {
        for (index, service) in services.enumerated() {
            do throws(PeripheralManagerError) {
                try await add(service, timeout: timeout)
            } catch {
                for service in services[..<index].reversed() { withdraw(service, .removed) }
                throw error
            }
        }
    }

    /// Removes a service, and returns when the platform has; at once when it is not added. Its subscriptions end, its
    /// characteristics keep their values, and it can be added again as soon as the call is made. While the radio is off
    /// the removal waits until the radio is on again.
    ///
    /// - Parameters:
    ///   - service: A service that this manager offers; one of another manager is left as it is.
    ///   - timeout: How long the platform may take, from the call; nil for as long as it waits.
    /// - Throws: `.includedByService`, with which it stays, while a service that includes it is added: remove that one
    ///   first; `.removeServiceTimeout`, `.cancelled`, `.poweredOff`, `.backend`, with which the service is not offered
    ///   any more by this manager either.
    public func remove(_ service: MutableService, timeout: Duration? = nil) async throws(PeripheralManagerError) {
        if let registration = service.registration, registration.manager === self,
            let including = services(including: registration.id).first?.service
        {
            throw .includedByService(including.uuid)
        }
        guard let id = withdraw(service, .removed) else { return }
        try await waitUntilAbsent(id, timeout: timeout, timeoutError: .removeServiceTimeout)
    }

    /// Removes all services, the last one added first.
    ///
    /// - Throws: as ``remove(_:timeout:)``, for the first that fails.
    public func removeAllServices(timeout: Duration? = nil) async throws(PeripheralManagerError) {
        let ids = registrations.values.reversed().filter { $0.service != nil && $0.isWanted }.map(\.id)
        for id in ids { withdraw(id, .removed) }
        for id in ids { try await waitUntilAbsent(id, timeout: timeout, timeoutError: .removeServiceTimeout) }
    }

    @discardableResult
    private func withdraw(_ service: MutableService, _ error: PeripheralManagerError) -> Registration.ID? {
        guard let registration = service.registration, registration.manager === self else { return nil }
        withdraw(.service(registration.id), error)
        return .service(registration.id)
    }

    /// The services that include a service, as they were added or are being added.
    func services(including id: AttributeID) -> [Registration] {
        registrations.values.filter { registration in
            guard registration.isWanted, case .service(_, let local) = registration.content else { return false }
            return local.includedServices.contains(id)
        }
    }

    // MARK: Handles

    /// Takes the service and its characteristics for this manager, and gives them their numbers.
    func claim(_ service: MutableService, handle: UInt16?) throws(PeripheralManagerError) -> LocalService {
        let included = try service.includedServices.map { other throws(PeripheralManagerError) -> AttributeID in
            guard let registration = other.registration, registration.manager === self,
                registrations[.service(registration.id)] != nil
            else { throw .includedServiceNotAdded(other.uuid) }
            return registration.id
        }
        let id = makeAttribute()
        guard service.claim(for: self, id) else { throw .alreadyAdded(service.uuid) }
        claimedServices[id] = service
        var locals: [LocalCharacteristic] = []
        var claimed: [MutableCharacteristic] = []
        for characteristic in service.characteristics {
            let number = makeAttribute()
            guard characteristic.claim(for: self, number) else {
                for other in claimed { free(other) }
                free(service, id)
                throw .alreadyAdded(characteristic.uuid)
            }
            claimed.append(characteristic)
            characteristic.joined(service)
            attributes[number] = .characteristic(characteristic)
            locals.append(local(characteristic, number))
        }
        return LocalService(
            id: id, uuid: service.uuid, isPrimary: service.isPrimary, handle: handle, includedServices: included,
            characteristics: locals)
    }

    private func local(_ characteristic: MutableCharacteristic, _ id: AttributeID) -> LocalCharacteristic {
        if backend.features.contains(.confirmsAmbiguousWrites),
            characteristic.properties.isSuperset(of: [.write, .writeWithoutResponse])
        {
            logger.warning(
                "a characteristic offers both kinds of writes: the platform answers them with success by itself",
                ["characteristic": "\(characteristic.uuid)"])
        }
        let descriptors = characteristic.descriptors.map { descriptor in
            let id = makeAttribute()
            attributes[id] = .descriptor(descriptor)
            characteristic.facts.withLock { $0.descriptorIDs.append(id) }
            return LocalDescriptor(
                id: id, uuid: descriptor.uuid, permissions: descriptor.permissions, value: descriptor.value)
        }
        return LocalCharacteristic(
            id: id, uuid: characteristic.uuid, properties: characteristic.properties,
            permissions: characteristic.permissions, descriptors: descriptors,
            usesWriteSocket: characteristic.usesWriteSocket)
    }

    /// Frees the handles of a service: accesses to it are over, and it can be added again.
    func release(_ service: MutableService, _ local: LocalService) {
        free(service, local.id)
        for local in local.characteristics {
            if let characteristic = characteristic(at: local.id) { free(characteristic) }
        }
    }

    func characteristic(at id: AttributeID) -> MutableCharacteristic? {
        if case .characteristic(let characteristic)? = attributes[id] { characteristic } else { nil }
    }

    private func free(_ service: MutableService, _ id: AttributeID) {
        claimedServices[id] = nil
        service.facts.withLock { $0.registration = nil }
    }

    private func free(_ characteristic: MutableCharacteristic) {
        let (id, descriptors) = characteristic.facts.withLock { facts in
            defer {
                facts.registration = nil
                facts.descriptorIDs = []
                facts.queue.removeAll()
            }
            return (facts.registration?.id, facts.descriptorIDs)
        }
        updates.endSubscriptions(to: characteristic, self)
        guard let id else { return }
        attributes[id] = nil
        for descriptor in descriptors { attributes[descriptor] = nil }
        server.failAll(to: id, self)
    }

    private func makeAttribute() -> AttributeID {
        lastAttribute += 1
        return AttributeID(rawValue: lastAttribute)
    }
}

extension MutableService {
    fileprivate func claim(for manager: PeripheralManager, _ id: AttributeID) -> Bool {
        facts.withLock { facts in
            if facts.registration != nil { return false }
            facts.registration = HandleRegistration(manager: manager, id: id)
            return true
        }
    }
}

extension MutableCharacteristic {
    fileprivate func claim(for manager: PeripheralManager, _ id: AttributeID) -> Bool {
        facts.withLock { facts in
            if facts.registration != nil { return false }
            facts.registration = HandleRegistration(manager: manager, id: id)
            return true
        }
    }

    /// The manager was released.
    func managerEnded() {
        facts.withLock { facts in
            facts.registration = nil
            facts.descriptorIDs = []
            facts.subscribers = []
            facts.queue.removeAll()
        }
        endStreams()
    }
}
