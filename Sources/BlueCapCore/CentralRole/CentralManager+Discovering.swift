// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Discovering the peer's database.
extension CentralManager {
    func discoverServices(
        _ peripheral: Peripheral, _ uuids: [BluetoothUUID]?, timeout: Duration?
    ) async throws(PeripheralError) -> [Service] {
        _ = try record(of: peripheral)
        let id = peripheral.identifier
        return try await perform(.discoverServices(id, uuids), in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Service], PeripheralError> in
            if case .reply(.services(let found)) = outcome, let record = manager.records[id] {
                let news = found.count { record.services[$0.id] == nil }
                if let failure = manager.excess(news, for: record) { return .failure(.backend(failure)) }
                return .success(manager.merge(services: found, into: record, replacing: uuids == nil))
            }
            if case .timedOut = outcome { manager.endAfterDiscoveryTimeout(id) }
            return .failure(PeripheralError(outcome, timeout: .serviceDiscoveryTimeout))
        }
    }

    /// A link whose services do not come is of no use and may be dead: it is ended, as a loss.
    func endAfterDiscoveryTimeout(_ id: PeerIdentifier) {
        guard let record = records[id] else { return }
        carryOut(record.connection.fail(.serviceDiscoveryTimeout), for: record)
    }

    func discoverIncludedServices(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?
    ) async throws(ServiceError) -> [Service] {
        let id = try record(of: service).peripheral.identifier
        let operation = CentralOperation.discoverIncludedServices(id, service: service.id, uuids)
        return try await perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Service], ServiceError> in
            guard case .reply(.services(let found)) = outcome else {
                return .failure(ServiceError(outcome, timeout: .includedServiceDiscoveryTimeout))
            }
            guard let record = manager.records[id], record.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            let news = found.count { record.services[$0.id] == nil }
            if let failure = manager.excess(news, for: record) { return .failure(.backend(failure)) }
            let included = manager.merge(services: found, into: record, replacing: false)
            service.facts.withLock { $0.includedServices = included }
            return .success(included)
        }
    }

    func discoverCharacteristics(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, endsLink: Bool = false
    ) async throws(ServiceError) -> [Characteristic] {
        let id = try record(of: service).peripheral.identifier
        let operation = CentralOperation.discoverCharacteristics(id, service: service.id, uuids)
        return try await perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Characteristic], ServiceError> in
            guard case .reply(.characteristics(let found)) = outcome else {
                if case .timedOut = outcome, endsLink { manager.endAfterDiscoveryTimeout(id) }
                return .failure(ServiceError(outcome, timeout: .characteristicDiscoveryTimeout))
            }
            guard let record = manager.records[id], record.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            let news = found.count { record.characteristics[$0.id] == nil }
            if let failure = manager.excess(news, for: record) { return .failure(.backend(failure)) }
            return .success(
                manager.merge(characteristics: found, into: service, of: record, replacing: uuids == nil))
        }
    }

    func discoverDescriptors(
        _ characteristic: Characteristic, timeout: Duration?
    ) async throws(CharacteristicError) -> [Descriptor] {
        let id = try record(of: characteristic).peripheral.identifier
        let operation = CentralOperation.discoverDescriptors(id, characteristic: characteristic.id)
        return try await perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Descriptor], CharacteristicError> in
            guard case .reply(.descriptors(let found)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .descriptorDiscoveryTimeout))
            }
            guard let record = manager.records[id], record.characteristics[characteristic.id] === characteristic else {
                return .failure(.notDiscovered(characteristic.uuid))
            }
            let news = found.count { !record.descriptors.contains($0.id) }
            if let failure = manager.excess(news, for: record) { return .failure(.backend(failure)) }
            return .success(manager.merge(descriptors: found, into: characteristic, of: record))
        }
    }

    /// Why no more attributes of a peripheral are taken in.
    func excess(_ news: Int, for record: PeripheralRecord) -> BackendFailure? {
        let count = record.services.count + record.characteristics.count + record.descriptors.count + news
        return count > maximumAttributes ? .tooManyAttributes(maximum: maximumAttributes) : nil
    }

    // MARK: Discovered attributes

    /// Takes in services that were found: one that is known keeps its object, also from before a reconnection.
    func merge(
        services found: [DiscoveredService], into record: PeripheralRecord, replacing: Bool
    ) -> [Service] {
        let primary = record.peripheral.services
        let known = Self.byID(primary + primary.flatMap(\.includedServices))
        let services = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.isPrimary == found.isPrimary { return same }
            return Service(found, of: record.peripheral)
        }
        // Included services are found through those that include them; a new list of the primary ones does not end
        // them.
        if replacing {
            for (id, service) in record.services where service.isPrimary { record.services[id] = nil }
        }
        for service in services { record.services[service.id] = service }
        let all = record.services.values.filter(\.isPrimary).sorted { $0.id < $1.id }
        record.peripheral.facts.withLock { $0.services = all }
        return services
    }

    func merge(
        characteristics found: [DiscoveredCharacteristic], into service: Service, of record: PeripheralRecord,
        replacing: Bool
    ) -> [Characteristic] {
        let known = Self.byID(service.characteristics)
        let characteristics = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid, same.properties == found.properties { return same }
            return Characteristic(found, of: service)
        }
        for characteristic in characteristics {
            let before = record.characteristics[characteristic.id]
            if before !== characteristic { before?.use(nil) }
            record.characteristics[characteristic.id] = characteristic
        }
        let ids = Set(characteristics.map(\.id))
        let kept = replacing ? [] : known.values.filter { !ids.contains($0.id) }
        let all = (characteristics + kept).sorted { $0.id < $1.id }
        service.facts.withLock { $0.characteristics = all }
        for characteristic in characteristics { characteristicCaster.push(characteristic) }
        return characteristics
    }

    private func merge(
        descriptors found: [DiscoveredDescriptor], into characteristic: Characteristic, of record: PeripheralRecord
    ) -> [Descriptor] {
        let known = Self.byID(characteristic.descriptors)
        let descriptors = found.map { found in
            if let same = known[found.id], same.uuid == found.uuid { return same }
            return Descriptor(found, of: characteristic)
        }
        record.descriptors.formUnion(descriptors.map(\.id))
        characteristic.facts.withLock { $0.descriptors = descriptors }
        return descriptors
    }

    /// A hostile database may name one attribute twice; the first counts.
    private static func byID<Handle: Identifiable>(_ handles: [Handle]) -> [AttributeID: Handle]
    where Handle.ID == AttributeID {
        Dictionary(handles.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The peer changed its database: the services that it names are gone until they are discovered again, and the
    /// requests under way for them end. No platform answers for an attribute that is gone.
    func servicesChanged(_ id: PeerIdentifier, _ invalidated: [AttributeID]) {
        guard let record = records[id] else { return }
        let known = record.peripheral.services + record.services.values.filter { !$0.isPrimary }
        let gone = known.filter { invalidated.isEmpty || invalidated.contains($0.id) }
        for service in gone {
            record.services[service.id] = nil
            let isNamed = invalidated.contains(service.id)
            for characteristic in service.characteristics { drop(characteristic, of: record, isNamed: isNamed) }
        }
        requests.drain(lane(.discovery, of: id), self) { operation in
            switch operation {
            case .discoverCharacteristics(_, let service, _), .discoverIncludedServices(_, let service, _):
                gone.first { $0.id == service }.map { .gone($0.uuid) }
            case .discoverDescriptors(_, let characteristic):
                gone.flatMap(\.characteristics).first { $0.id == characteristic }.map { .gone($0.uuid) }
            default: nil
            }
        }
        let left = known.filter { $0.isPrimary && !gone.contains($0) }.sorted { $0.id < $1.id }
        record.peripheral.facts.withLock { $0.services = left }
        record.peripheral.tell(changed: gone.sorted { $0.id < $1.id }.map(\.uuid))
    }

    /// A characteristic is gone from the database of the current connection; where the peer did not name its service,
    /// it may also be there still.
    private func drop(_ characteristic: Characteristic, of record: PeripheralRecord, isNamed: Bool) {
        guard record.characteristics[characteristic.id] === characteristic else { return }
        record.characteristics[characteristic.id] = nil
        characteristic.use(nil)
        record.descriptors.subtract(characteristic.descriptors.map(\.id))
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        let subscription = record.subscriptions[id]
        let transport = subscription?.machine.transport
        let mayNotify = subscription?.machine.phase == .enabling || subscription?.machine.phase == .on
        endSubscription(to: id, of: record, .notDiscovered(characteristic.uuid))
        requests.drain(lane(.notifying(id), of: peripheral), self) { _ in .gone(characteristic.uuid) }
        requests.drain(lane(.value(id), of: peripheral), self) { _ in .gone(characteristic.uuid) }
        for descriptor in characteristic.descriptors {
            requests.drain(lane(.value(descriptor.id), of: peripheral), self) { _ in .gone(descriptor.uuid) }
        }
        guard let transport, mayNotify, !isNamed else { return }
        begin(.setNotifying(peripheral, id, false, transport), in: .notifying(id)) { _, _ in }
    }
}

extension BackendFailure {
    /// A peripheral has more attributes than the manager takes in.
    static func tooManyAttributes(maximum: Int) -> BackendFailure {
        BackendFailure(
            name: "BlueCap.TooManyAttributes",
            message: "the peripheral has more than \(maximum) services, characteristics and descriptors",
            advice: "discover by UUID, or raise Configuration.maximumAttributes")
    }
}
