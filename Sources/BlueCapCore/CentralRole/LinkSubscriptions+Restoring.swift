// SPDX-License-Identifier: MIT

/// Switching notifications on again over a new connection, for listeners that wait for it.
extension LinkSubscriptions {
    /// Discovers the characteristics that listeners wait for again, and switches their notifications on.
    func restore(over record: PeripheralRecord, _ owner: isolated some CentralOwner) {
        if isEmpty { return }
        let wanted = all.map(\.characteristic)
        let ids = Set(wanted.map(\.serviceID))
        // An included service is found through the primary one that it was found through before.
        let inside = record.peripheral.services.reduce(into: [AttributeID: Set<AttributeID>]()) { inside, service in
            let included = service.includedServices.filter { !$0.isPrimary && ids.contains($0.id) }.map(\.id)
            if !included.isEmpty { inside[service.id] = Set(included) }
        }
        let outer = record.peripheral.services.filter { inside[$0.id] != nil }
        let uuids = Set(wanted.map(\.serviceUUID) + outer.map(\.uuid))
        let generation = record.connection.machine.generation
        let operation = CentralOperation.discoverServices(record.peripheral.identifier, Array(uuids))
        owner.begin(operation, over: .discovery) { manager, record, outcome in
            let subscriptions = record.subscriptions
            // Nothing for an answer of a connection that has ended: the next one asks again.
            guard record.connection.machine.generation == generation else { return }
            guard case .reply(.services(let found)) = outcome else {
                return subscriptions.endAll(CharacteristicError(outcome, timeout: .notifyTimeout), manager)
            }
            let services: [Service]
            switch manager.connections.databases.take(services: found, into: record) {
            case .failure(let failure): return subscriptions.endAll(.backend(failure), manager)
            case .success(let taken): services = taken
            }
            let reached = services.reduce(into: Set(services.map(\.id))) { reached, service in
                reached.formUnion(inside[service.id] ?? [])
            }
            subscriptions.endLost(of: record, manager) { !reached.contains($0) }
            for service in services where ids.contains(service.id) {
                subscriptions.restore(in: service, of: record, manager)
            }
            for service in services {
                guard let included = inside[service.id] else { continue }
                subscriptions.restore(in: included, includedBy: service, of: record, manager)
            }
        }
    }

    /// Discovers the included services of a service again, then the characteristics in them that listeners wait for.
    private func restore(
        in included: Set<AttributeID>, includedBy service: Service, of record: PeripheralRecord,
        _ owner: isolated some CentralOwner
    ) {
        let generation = record.connection.machine.generation
        let operation = CentralOperation.discoverIncludedServices(
            record.peripheral.identifier, service: service.id, nil)
        owner.begin(operation, over: .discovery) { manager, record, outcome in
            let subscriptions = record.subscriptions
            guard record.connection.machine.generation == generation else { return }
            guard case .reply(.services(let found)) = outcome else {
                let error = CharacteristicError(outcome, timeout: .notifyTimeout)
                return subscriptions.end(in: included, error, manager)
            }
            let services: [Service]
            switch manager.connections.databases.take(services: found, into: record) {
            case .failure(let failure): return subscriptions.end(in: included, .backend(failure), manager)
            case .success(let taken): services = taken
            }
            service.facts.withLock { $0.includedServices = services }
            let reached = Set(services.map(\.id))
            subscriptions.endLost(of: record, manager) { included.contains($0) && !reached.contains($0) }
            for service in services where included.contains(service.id) {
                subscriptions.restore(in: service, of: record, manager)
            }
        }
    }

    private func restore(in service: Service, of record: PeripheralRecord, _ owner: isolated some CentralOwner) {
        let generation = record.connection.machine.generation
        let operation = CentralOperation.discoverCharacteristics(
            record.peripheral.identifier, service: service.id, nil)
        owner.begin(operation, over: .discovery) { manager, record, outcome in
            let subscriptions = record.subscriptions
            guard record.connection.machine.generation == generation else { return }
            guard case .reply(.characteristics(let found)) = outcome else {
                let error = CharacteristicError(outcome, timeout: .notifyTimeout)
                return subscriptions.end(in: [service.id], error, manager)
            }
            let waiting = subscriptions.all.filter { $0.characteristic.serviceID == service.id }
            let taken = manager.connections.databases.take(
                characteristics: found, of: service, in: record, replacing: true)
            if case .failure(let failure) = taken {
                return subscriptions.end(in: [service.id], .backend(failure), manager)
            }
            for subscription in waiting {
                let (attribute, uuid) = (subscription.characteristic.id, subscription.characteristic.uuid)
                // The same attribute may be another characteristic by now.
                if let now = record.database.characteristics[attribute], now.uuid == uuid, now.canNotify {
                    subscription.characteristic = now
                    subscriptions.reconcile(subscription, manager)
                } else {
                    subscriptions.end(attribute, .notDiscovered(uuid), manager)
                }
            }
        }
    }

    /// Ends those subscriptions in some services that the app has not discovered again by itself.
    private func endLost(
        of record: PeripheralRecord, _ owner: isolated some CentralOwner, where isLost: (AttributeID) -> Bool
    ) {
        for subscription in all {
            let characteristic = subscription.characteristic
            guard record.database.characteristics[characteristic.id] !== characteristic,
                isLost(characteristic.serviceID)
            else { continue }
            end(characteristic.id, .notDiscovered(characteristic.uuid), owner)
        }
    }

    private func end(in services: Set<AttributeID>, _ error: CharacteristicError, _ owner: isolated some CentralOwner) {
        for subscription in all where services.contains(subscription.characteristic.serviceID) {
            end(subscription.characteristic.id, error, owner)
        }
    }
}
