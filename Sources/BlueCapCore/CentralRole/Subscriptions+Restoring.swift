// SPDX-License-Identifier: MIT

/// Switching notifications on again over a new connection, for listeners that wait for it.
extension Subscriptions {
    /// Discovers the characteristics that listeners wait for again, and switches their notifications on.
    func restoreSubscriptions(of record: PeripheralRecord, _ owner: isolated CentralManager) {
        if record.subscriptions.isEmpty { return }
        let id = record.peripheral.identifier
        let wanted = record.subscriptions.values.map(\.characteristic)
        let ids = Set(wanted.map(\.serviceID))
        // An included service is found through the primary one that it was found through before.
        let inside = record.peripheral.services.reduce(into: [AttributeID: Set<AttributeID>]()) { inside, service in
            let included = service.includedServices.filter { !$0.isPrimary && ids.contains($0.id) }.map(\.id)
            if !included.isEmpty { inside[service.id] = Set(included) }
        }
        let outer = record.peripheral.services.filter { inside[$0.id] != nil }
        let uuids = Set(wanted.map(\.serviceUUID) + outer.map(\.uuid))
        let generation = record.connection.generation
        owner.begin(.discoverServices(id, Array(uuids)), in: .discovery) { manager, outcome in
            // Nothing for an answer of a connection that has ended: the next one asks again.
            guard let record = manager.book.known(id), record.connection.generation == generation else { return }
            guard case .reply(.services(let found)) = outcome else {
                return endSubscriptions(of: record, CharacteristicError(outcome, timeout: .notifyTimeout), manager)
            }
            if let failure = manager.connections.databases.excess(
                found.count { record.services[$0.id] == nil }, for: record)
            {
                return endSubscriptions(of: record, .backend(failure), manager)
            }
            let services = manager.connections.databases.merge(services: found, into: record, replacing: false)
            let reached = services.reduce(into: Set(services.map(\.id))) { reached, service in
                reached.formUnion(inside[service.id] ?? [])
            }
            endLostSubscriptions(of: record, manager) { !reached.contains($0) }
            for service in services where ids.contains(service.id) {
                restoreSubscriptions(of: record, in: service, manager)
            }
            for service in services {
                guard let included = inside[service.id] else { continue }
                restoreSubscriptions(of: record, in: included, includedBy: service, manager)
            }
        }
    }

    /// Discovers the included services of a service again, then the characteristics in them that listeners wait for.
    private func restoreSubscriptions(
        of record: PeripheralRecord, in included: Set<AttributeID>, includedBy service: Service,
        _ owner: isolated CentralManager
    ) {
        let id = record.peripheral.identifier
        let generation = record.connection.generation
        owner.begin(.discoverIncludedServices(id, service: service.id, nil), in: .discovery) { manager, outcome in
            guard let record = manager.book.known(id), record.connection.generation == generation else { return }
            guard case .reply(.services(let found)) = outcome else {
                let error = CharacteristicError(outcome, timeout: .notifyTimeout)
                return endSubscriptions(of: record, in: included, error, manager)
            }
            if let failure = manager.connections.databases.excess(
                found.count { record.services[$0.id] == nil }, for: record)
            {
                return endSubscriptions(of: record, in: included, .backend(failure), manager)
            }
            let services = manager.connections.databases.merge(services: found, into: record, replacing: false)
            service.facts.withLock { $0.includedServices = services }
            let reached = Set(services.map(\.id))
            endLostSubscriptions(of: record, manager) { included.contains($0) && !reached.contains($0) }
            for service in services where included.contains(service.id) {
                restoreSubscriptions(of: record, in: service, manager)
            }
        }
    }

    private func restoreSubscriptions(
        of record: PeripheralRecord, in service: Service, _ owner: isolated CentralManager
    ) {
        let id = record.peripheral.identifier
        let generation = record.connection.generation
        owner.begin(.discoverCharacteristics(id, service: service.id, nil), in: .discovery) { manager, outcome in
            guard let record = manager.book.known(id), record.connection.generation == generation else { return }
            guard case .reply(.characteristics(let found)) = outcome else {
                let error = CharacteristicError(outcome, timeout: .notifyTimeout)
                return endSubscriptions(of: record, in: [service.id], error, manager)
            }
            if let failure = manager.connections.databases.excess(
                found.count { record.characteristics[$0.id] == nil }, for: record)
            {
                return endSubscriptions(of: record, in: [service.id], .backend(failure), manager)
            }
            let waiting = record.subscriptions.filter { $0.value.characteristic.serviceID == service.id }
            _ = manager.connections.databases.merge(characteristics: found, into: service, of: record, replacing: true)
            for (attribute, subscription) in waiting {
                let uuid = subscription.characteristic.uuid
                // The same attribute may be another characteristic by now.
                if let now = record.characteristics[attribute], now.uuid == uuid, now.canNotify {
                    subscription.characteristic = now
                    settle(subscription, of: id, manager)
                } else {
                    endSubscription(to: attribute, of: record, .notDiscovered(uuid), manager)
                }
            }
        }
    }

    /// Ends those subscriptions in some services that the app has not discovered again by itself.
    private func endLostSubscriptions(
        of record: PeripheralRecord, _ owner: isolated CentralManager, where isLost: (AttributeID) -> Bool
    ) {
        for (attribute, subscription) in record.subscriptions {
            let characteristic = subscription.characteristic
            guard record.characteristics[attribute] !== characteristic, isLost(characteristic.serviceID) else {
                continue
            }
            endSubscription(to: attribute, of: record, .notDiscovered(characteristic.uuid), owner)
        }
    }

    private func endSubscriptions(
        of record: PeripheralRecord, in services: Set<AttributeID>, _ error: CharacteristicError,
        _ owner: isolated CentralManager
    ) {
        for (attribute, subscription) in record.subscriptions
        where services.contains(subscription.characteristic.serviceID) {
            endSubscription(to: attribute, of: record, error, owner)
        }
    }
}
