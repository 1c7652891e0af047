// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Reads and writes the values of attributes.
///
/// Used on the manager only.
struct AttributeValues: Sendable {
    func read(_ characteristic: Characteristic, timeout: Duration?, _ owner: isolated some CentralOwner)
        async throws(CharacteristicError) -> Bytes
    {
        let record = try owner.book.record(of: characteristic, owner)
        if !characteristic.canRead { throw .readNotSupported }
        let isHeld = characteristic.holdChannel()
        defer { if isHeld { openChannel(of: characteristic, record, owner) } }
        let id = record.peripheral.identifier
        return try await read(characteristic.id, of: record, timeout: timeout, owner) { manager, value in
            // It may have been notified: then it belongs to the listeners, too.
            let isShared =
                characteristic.isNotifying && !manager.backend.features.contains(.separatesReadsFromNotifications)
            let listeners = isShared ? manager.book.known(id)?.subscriptions[characteristic.id] : nil
            characteristic.facts.withLock { $0.value = value }
            _ = listeners?.deliver(value, of: characteristic, manager)
        }
    }

    func write(
        _ value: Bytes, to characteristic: Characteristic, kind: WriteKind, timeout: Duration?,
        _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) {
        let record = try owner.book.record(of: characteristic, owner)
        let needed: CharacteristicProperties = kind == .withResponse ? .write : .writeWithoutResponse
        if !characteristic.properties.contains(needed) { throw .writeNotSupported }
        try checkLength(value, kind, record.peripheral)
        let isHeld = characteristic.holdChannel()
        defer { if isHeld || kind == .withoutResponseOverSocket { openChannel(of: characteristic, record, owner) } }
        try await write(value, to: characteristic.id, of: record, kind: kind, timeout: timeout, owner)
    }

    /// Lets the values of a characteristic go out at once, if the backend can do that, when nothing of it is queued.
    private func openChannel(
        of characteristic: Characteristic, _ record: PeripheralRecord, _ owner: isolated some CentralOwner
    ) {
        let (id, peripheral) = (characteristic.id, record.peripheral.identifier)
        guard owner.requests.queuedCount(in: owner.lane(.value(id), of: peripheral)) == 0,
            record.database.characteristics[id] === characteristic, record.link == .connected
        else { return }
        characteristic.use(owner.backend.onExecutor { $0.writeChannel(to: id, of: peripheral) })
    }

    func read(_ descriptor: Descriptor, timeout: Duration?, _ owner: isolated some CentralOwner)
        async throws(CharacteristicError) -> Bytes
    {
        let record = try owner.book.record(of: descriptor, owner)
        return try await read(descriptor.id, of: record, timeout: timeout, owner) { _, value in
            descriptor.facts.withLock { $0 = value }
        }
    }

    func write(_ value: Bytes, to descriptor: Descriptor, timeout: Duration?, _ owner: isolated some CentralOwner)
        async throws(CharacteristicError)
    {
        let record = try owner.book.record(of: descriptor, owner)
        if descriptor.uuid == Descriptor.clientConfiguration { throw .writeNotSupported }
        try checkLength(value, .withResponse, record.peripheral)
        try await write(value, to: descriptor.id, of: record, kind: .withResponse, timeout: timeout, owner)
    }

    func pendingCount(
        _ characteristic: Characteristic, _ owner: isolated some CentralOwner,
        where isCounted: (CentralOperation) -> Bool
    ) -> Int {
        guard let id = characteristic.peripheral?.identifier else { return 0 }
        return owner.requests.count(in: owner.lane(.value(characteristic.id), of: id), where: isCounted)
    }

    private func read<Owner: CentralOwner>(
        _ attribute: AttributeID, of record: PeripheralRecord, timeout: Duration?, _ owner: isolated Owner,
        onValue: @escaping @Sendable (isolated Owner, Bytes) -> Void
    ) async throws(CharacteristicError) -> Bytes {
        let operation = CentralOperation.read(record.peripheral.identifier, attribute)
        return try await owner.perform(operation, in: .value(attribute), timeout: timeout) {
            manager, outcome -> Result<Bytes, CharacteristicError> in
            guard case .reply(.value(let value)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .readTimeout))
            }
            if value.count > maximumAttributeLength { return .failure(.backend(.valueTooLong(count: value.count))) }
            // Noted with the answer: a value that is notified after it is not overwritten by it.
            onValue(manager, value)
            return .success(value)
        }
    }

    private func write(
        _ value: Bytes, to attribute: AttributeID, of record: PeripheralRecord, kind: WriteKind, timeout: Duration?,
        _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) {
        let operation = CentralOperation.write(record.peripheral.identifier, attribute, value, kind)
        let outcome = await owner.perform(operation, in: .value(attribute), timeout: timeout)
        guard case .reply(.done) = outcome else { throw CharacteristicError(outcome, timeout: .writeTimeout) }
    }

    private func checkLength(_ value: Bytes, _ kind: WriteKind, _ peripheral: Peripheral) throws(CharacteristicError) {
        // Without a known MTU a longer command may still fit; the backend decides.
        let isBound = kind == .withResponse || peripheral.maximumTransmissionUnit != nil
        let maximum = isBound ? peripheral.maximumWriteLength(for: kind) : maximumAttributeLength
        if value.count > maximum { throw .valueTooLong(count: value.count, maximum: maximum) }
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
