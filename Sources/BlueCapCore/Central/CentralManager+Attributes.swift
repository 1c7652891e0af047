import BlueCapSerDe

/// The peer's database: discovery, reading and writing.
extension CentralManager {
    // MARK: Discovery

    func discoverServices(
        _ peripheral: Peripheral, _ uuids: [BluetoothUUID]?, timeout: Duration?
    ) async throws(PeripheralError) -> [Service] {
        _ = try record(of: peripheral)
        let id = peripheral.identifier
        return try await perform(.discoverServices(id, uuids), in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Service], PeripheralError> in
            if case .reply(.services(let found)) = outcome, let record = manager.records[id] {
                return .success(manager.merge(services: found, into: record, replacing: uuids == nil))
            }
            if case .timedOut = outcome { manager.endAfterDiscoveryTimeout(id) }
            return .failure(PeripheralError(outcome, timeout: .serviceDiscoveryTimeout))
        }
    }

    /// A link whose services do not come is of no use and may be dead: it is ended, as a loss.
    func endAfterDiscoveryTimeout(_ id: PeripheralIdentifier) {
        guard let record = records[id], record.link == .connected else { return }
        record.endReason = .serviceDiscoveryTimeout
        beginEnd(record)
    }

    func discoverIncludedServices(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?
    ) async throws(ServiceError) -> [Service] {
        let record = try record(of: service)
        let id = record.peripheral.identifier
        let operation = BackendOperation.discoverIncludedServices(id, service: service.id, uuids)
        let outcome = await perform(operation, in: .discovery, timeout: timeout)
        guard case .reply(.services(let found)) = outcome else {
            throw ServiceError(outcome, timeout: .includedServiceDiscoveryTimeout)
        }
        if record.services[service.id] == nil { throw .disconnected }
        let included = merge(services: found, into: record, replacing: false)
        service.facts.withLock { $0.includedServices = included }
        return included
    }

    func discoverCharacteristics(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, endsLink: Bool = false
    ) async throws(ServiceError) -> [Characteristic] {
        let id = try record(of: service).peripheral.identifier
        let operation = BackendOperation.discoverCharacteristics(id, service: service.id, uuids)
        return try await perform(operation, in: .discovery, timeout: timeout) {
            manager, outcome -> Result<[Characteristic], ServiceError> in
            guard case .reply(.characteristics(let found)) = outcome else {
                if case .timedOut = outcome, endsLink { manager.endAfterDiscoveryTimeout(id) }
                return .failure(ServiceError(outcome, timeout: .characteristicDiscoveryTimeout))
            }
            guard let record = manager.records[id], record.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            return .success(
                manager.merge(characteristics: found, into: service, of: record, replacing: uuids == nil))
        }
    }

    func discoverDescriptors(
        _ characteristic: Characteristic, timeout: Duration?
    ) async throws(CharacteristicError) -> [Descriptor] {
        let record = try record(of: characteristic)
        let id = record.peripheral.identifier
        let operation = BackendOperation.discoverDescriptors(id, characteristic: characteristic.id)
        let outcome = await perform(operation, in: .discovery, timeout: timeout)
        guard case .reply(.descriptors(let found)) = outcome else {
            throw CharacteristicError(outcome, timeout: .descriptorDiscoveryTimeout)
        }
        if record.characteristics[characteristic.id] == nil { throw .disconnected }
        let known = characteristic.descriptors
        let descriptors = found.map { found in
            known.first { $0.id == found.id && $0.uuid == found.uuid } ?? Descriptor(found, of: characteristic)
        }
        record.descriptors.formUnion(descriptors.map(\.id))
        characteristic.facts.withLock { $0.descriptors = descriptors }
        return descriptors
    }

    /// Takes in services that were found: one that is known keeps its object, also from before a reconnection.
    func merge(
        services found: [DiscoveredService], into record: PeripheralRecord, replacing: Bool
    ) -> [Service] {
        let known = record.peripheral.services
        let services = found.map { found in
            known.first { $0.id == found.id && $0.uuid == found.uuid } ?? Service(found, of: record.peripheral)
        }
        if replacing { record.services = [:] }
        for service in services { record.services[service.id] = service }
        let all = record.services.values.filter(\.isPrimary).sorted { $0.id < $1.id }
        record.peripheral.facts.withLock { $0.services = all }
        return services
    }

    func merge(
        characteristics found: [DiscoveredCharacteristic], into service: Service, of record: PeripheralRecord,
        replacing: Bool
    ) -> [Characteristic] {
        let known = service.characteristics
        let characteristics = found.map { found in
            let same = known.first { $0.id == found.id && $0.uuid == found.uuid && $0.properties == found.properties }
            return same ?? Characteristic(found, of: service)
        }
        for characteristic in characteristics { record.characteristics[characteristic.id] = characteristic }
        let kept = replacing ? [] : known.filter { old in !characteristics.contains { $0.id == old.id } }
        let all = (characteristics + kept).sorted { $0.id < $1.id }
        service.facts.withLock { $0.characteristics = all }
        return characteristics
    }

    /// The peer changed its database: what it names is gone until it is discovered again.
    func servicesChanged(_ id: PeripheralIdentifier, _ invalidated: [AttributeID]) {
        guard let record = records[id] else { return }
        let known = record.peripheral.services + record.services.values.filter { !$0.isPrimary }
        let gone = known.filter { invalidated.isEmpty || invalidated.contains($0.id) }
        for service in gone {
            record.services[service.id] = nil
            for characteristic in service.characteristics { drop(characteristic, of: record) }
        }
        let left = known.filter { $0.isPrimary && !gone.contains($0) }.sorted { $0.id < $1.id }
        record.peripheral.facts.withLock { $0.services = left }
        record.peripheral.serviceCaster.push(gone.sorted { $0.id < $1.id }.map(\.uuid))
    }

    /// A characteristic is gone from the database of the current connection.
    private func drop(_ characteristic: Characteristic, of record: PeripheralRecord) {
        guard record.characteristics[characteristic.id] === characteristic else { return }
        record.characteristics[characteristic.id] = nil
        record.descriptors.subtract(characteristic.descriptors.map(\.id))
        endSubscription(to: characteristic.id, of: record, .notDiscovered(characteristic.uuid))
    }

    // MARK: Values

    func read(_ characteristic: Characteristic, timeout: Duration?) async throws(CharacteristicError) -> Bytes {
        let record = try record(of: characteristic)
        if !characteristic.canRead { throw .readNotSupported }
        return try await read(characteristic.id, of: record, timeout: timeout) { value in
            characteristic.facts.withLock { $0.value = value }
        }
    }

    func write(
        _ value: Bytes, to characteristic: Characteristic, kind: WriteKind, timeout: Duration?
    ) async throws(CharacteristicError) {
        let record = try record(of: characteristic)
        let needed: CharacteristicProperties = kind == .withResponse ? .write : .writeWithoutResponse
        if !characteristic.properties.contains(needed) { throw .writeNotSupported }
        try checkLength(value, kind, record.peripheral)
        try await write(value, to: characteristic.id, of: record, kind: kind, timeout: timeout)
    }

    func read(_ descriptor: Descriptor, timeout: Duration?) async throws(CharacteristicError) -> Bytes {
        let record = try record(of: descriptor)
        return try await read(descriptor.id, of: record, timeout: timeout) { value in
            descriptor.facts.withLock { $0 = value }
        }
    }

    func write(_ value: Bytes, to descriptor: Descriptor, timeout: Duration?) async throws(CharacteristicError) {
        let record = try record(of: descriptor)
        if descriptor.uuid == Descriptor.clientConfiguration { throw .writeNotSupported }
        try checkLength(value, .withResponse, record.peripheral)
        try await write(value, to: descriptor.id, of: record, kind: .withResponse, timeout: timeout)
    }

    func pendingCount(_ characteristic: Characteristic, where isCounted: (BackendOperation) -> Bool) -> Int {
        guard let id = characteristic.peripheral?.identifier else { return 0 }
        return pending.count(in: lane(.value(characteristic.id), of: id), where: isCounted)
    }

    private func read(
        _ attribute: AttributeID, of record: PeripheralRecord, timeout: Duration?,
        note: @escaping @Sendable (Bytes) -> Void
    ) async throws(CharacteristicError) -> Bytes {
        let operation = BackendOperation.read(record.peripheral.identifier, attribute)
        return try await perform(operation, in: .value(attribute), timeout: timeout) {
            _, outcome -> Result<Bytes, CharacteristicError> in
            guard case .reply(.value(let value)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .readTimeout))
            }
            // Noted with the answer: a value that is notified after it is not overwritten by it.
            note(value)
            return .success(value)
        }
    }

    private func write(
        _ value: Bytes, to attribute: AttributeID, of record: PeripheralRecord, kind: WriteKind, timeout: Duration?
    ) async throws(CharacteristicError) {
        let operation = BackendOperation.write(record.peripheral.identifier, attribute, value, kind)
        let outcome = await perform(operation, in: .value(attribute), timeout: timeout)
        guard case .reply(.done) = outcome else { throw CharacteristicError(outcome, timeout: .writeTimeout) }
    }

    private func checkLength(
        _ value: Bytes, _ kind: WriteKind, _ peripheral: Peripheral
    ) throws(CharacteristicError) {
        // Without a known MTU a longer command may still fit; the backend decides.
        let isBound = kind == .withResponse || peripheral.maximumTransmissionUnit != nil
        let maximum = isBound ? peripheral.maximumWriteLength(for: kind) : 512
        if value.count > maximum { throw .valueTooLong(count: value.count, maximum: maximum) }
    }

    // MARK: What a handle stands for now

    private func record(of service: Service) throws(ServiceError) -> PeripheralRecord {
        guard let peripheral = service.peripheral else { throw .unconfigured }
        if isInvalidated { throw .invalidated }
        if state != .poweredOn { throw stateFailure.map { .backend($0) } ?? .poweredOff }
        guard let record = records[peripheral.identifier], record.link == .connected else { throw .disconnected }
        if record.services[service.id] !== service { throw .notDiscovered(service.uuid) }
        return record
    }

    func record(of characteristic: Characteristic) throws(CharacteristicError) -> PeripheralRecord {
        guard let peripheral = characteristic.peripheral else { throw .unconfigured }
        let record = try connectedRecord(of: peripheral)
        if record.characteristics[characteristic.id] !== characteristic { throw .notDiscovered(characteristic.uuid) }
        return record
    }

    private func record(of descriptor: Descriptor) throws(CharacteristicError) -> PeripheralRecord {
        guard let peripheral = descriptor.peripheral else { throw .unconfigured }
        let record = try connectedRecord(of: peripheral)
        if !record.descriptors.contains(descriptor.id) { throw .notDiscovered(descriptor.uuid) }
        return record
    }

    private func connectedRecord(of peripheral: Peripheral) throws(CharacteristicError) -> PeripheralRecord {
        if isInvalidated { throw .invalidated }
        if state != .poweredOn { throw stateFailure.map { .backend($0) } ?? .poweredOff }
        guard let record = records[peripheral.identifier], record.link == .connected else { throw .disconnected }
        return record
    }
}
