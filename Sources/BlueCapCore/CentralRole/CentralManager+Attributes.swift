// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Reading and writing the peer's database.
extension CentralManager {
    func read(_ characteristic: Characteristic, timeout: Duration?) async throws(CharacteristicError) -> Bytes {
        let record = try record(of: characteristic)
        if !characteristic.canRead { throw .readNotSupported }
        let isHeld = characteristic.holdChannel()
        defer { if isHeld { openChannel(of: characteristic, record) } }
        let id = record.peripheral.identifier
        return try await read(characteristic.id, of: record, timeout: timeout) { manager, value in
            // It may have been notified: then it belongs to the listeners, too.
            let isShared =
                characteristic.isNotifying && !manager.backend.features.contains(.separatesReadsFromNotifications)
            let listeners = isShared ? manager.records[id]?.subscriptions[characteristic.id] : nil
            manager.deliver(value, of: characteristic, to: listeners)
        }
    }

    func write(
        _ value: Bytes, to characteristic: Characteristic, kind: WriteKind, timeout: Duration?
    ) async throws(CharacteristicError) {
        let record = try record(of: characteristic)
        let needed: CharacteristicProperties = kind == .withResponse ? .write : .writeWithoutResponse
        if !characteristic.properties.contains(needed) { throw .writeNotSupported }
        try checkLength(value, kind, record.peripheral)
        let isHeld = characteristic.holdChannel()
        defer { if isHeld || kind == .withoutResponseOverSocket { openChannel(of: characteristic, record) } }
        try await write(value, to: characteristic.id, of: record, kind: kind, timeout: timeout)
    }

    /// Lets the values of a characteristic go out at once, if the backend can do that, when nothing of it is queued.
    private func openChannel(of characteristic: Characteristic, _ record: PeripheralRecord) {
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        guard requests.queuedCount(in: lane(.value(id), of: peripheral)) == 0,
            record.characteristics[id] === characteristic, record.link == .connected
        else { return }
        characteristic.use(backend.onExecutor { $0.writeChannel(to: id, of: peripheral) })
    }

    func read(_ descriptor: Descriptor, timeout: Duration?) async throws(CharacteristicError) -> Bytes {
        let record = try record(of: descriptor)
        return try await read(descriptor.id, of: record, timeout: timeout) { _, value in
            descriptor.facts.withLock { $0 = value }
        }
    }

    func write(_ value: Bytes, to descriptor: Descriptor, timeout: Duration?) async throws(CharacteristicError) {
        let record = try record(of: descriptor)
        if descriptor.uuid == Descriptor.clientConfiguration { throw .writeNotSupported }
        try checkLength(value, .withResponse, record.peripheral)
        try await write(value, to: descriptor.id, of: record, kind: .withResponse, timeout: timeout)
    }

    func pendingCount(_ characteristic: Characteristic, where isCounted: (CentralOperation) -> Bool) -> Int {
        guard let id = characteristic.peripheral?.identifier else { return 0 }
        return requests.count(in: lane(.value(characteristic.id), of: id), where: isCounted)
    }

    private func read(
        _ attribute: AttributeID, of record: PeripheralRecord, timeout: Duration?,
        note: @escaping @Sendable (isolated CentralManager, Bytes) -> Void
    ) async throws(CharacteristicError) -> Bytes {
        let operation = CentralOperation.read(record.peripheral.identifier, attribute)
        return try await perform(operation, in: .value(attribute), timeout: timeout) {
            manager, outcome -> Result<Bytes, CharacteristicError> in
            guard case .reply(.value(let value)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .readTimeout))
            }
            if value.count > maximumAttributeLength { return .failure(.backend(.valueTooLong(count: value.count))) }
            // Noted with the answer: a value that is notified after it is not overwritten by it.
            note(manager, value)
            return .success(value)
        }
    }

    private func write(
        _ value: Bytes, to attribute: AttributeID, of record: PeripheralRecord, kind: WriteKind, timeout: Duration?
    ) async throws(CharacteristicError) {
        let operation = CentralOperation.write(record.peripheral.identifier, attribute, value, kind)
        let outcome = await perform(operation, in: .value(attribute), timeout: timeout)
        guard case .reply(.done) = outcome else { throw CharacteristicError(outcome, timeout: .writeTimeout) }
    }

    private func checkLength(
        _ value: Bytes, _ kind: WriteKind, _ peripheral: Peripheral
    ) throws(CharacteristicError) {
        // Without a known MTU a longer command may still fit; the backend decides.
        let isBound = kind == .withResponse || peripheral.maximumTransmissionUnit != nil
        let maximum = isBound ? peripheral.maximumWriteLength(for: kind) : maximumAttributeLength
        if value.count > maximum { throw .valueTooLong(count: value.count, maximum: maximum) }
    }

    // MARK: What a handle stands for now

    func record(of service: Service) throws(ServiceError) -> PeripheralRecord {
        guard let peripheral = service.peripheral else { throw .unconfigured }
        if isInvalidated { throw .invalidated }
        if state != .poweredOn { throw ServiceError(radio.reason) }
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
        if state != .poweredOn { throw CharacteristicError(radio.reason) }
        guard let record = records[peripheral.identifier], record.link == .connected else { throw .disconnected }
        return record
    }
}

extension BackendFailure {
    /// The peripheral answered with more than an attribute can have.
    static func valueTooLong(count: Int) -> BackendFailure {
        BackendFailure(
            name: "BlueCap.ValueTooLong",
            message: "the value has \(count) bytes, and that of an attribute \(maximumAttributeLength) at most",
            advice: "the peripheral breaks the specification: have its firmware send shorter values")
    }
}
