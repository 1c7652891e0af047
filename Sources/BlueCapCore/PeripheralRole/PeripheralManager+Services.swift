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
        let id = try registrations.add(service, handle: journal.isKept ? 0 : nil, self)
        try await waitUntilPresent(id, timeout: timeout, timeoutError: .addServiceTimeout)
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
            let including = registrations.services(including: registration.id).first?.service
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
        let ids = registrations.all.reversed().filter { $0.service != nil && $0.isWanted }.map(\.id)
        for id in ids { registrations.withdraw(id, .removed, self) }
        for id in ids { try await waitUntilAbsent(id, timeout: timeout, timeoutError: .removeServiceTimeout) }
    }

    @discardableResult
    private func withdraw(_ service: MutableService, _ error: PeripheralManagerError) -> Registration.ID? {
        guard let registration = service.registration, registration.manager === self else { return nil }
        registrations.withdraw(.service(registration.id), error, self)
        return .service(registration.id)
    }
}
