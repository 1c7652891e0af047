// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// Discovers the databases of peripherals.
///
/// Used on the manager only, apart from the streams.
struct Databases: Sendable {
    private let discovered: Multicaster<Characteristic>
    private let maximumAttributes: Int

    /// Creates the room.
    ///
    /// - Parameters:
    ///   - discovered: Takes the characteristics that discoveries find.
    ///   - maximumAttributes: The maximum number of attributes of one peripheral.
    init(_ discovered: Multicaster<Characteristic>, maximumAttributes: Int) {
        (self.discovered, self.maximumAttributes) = (discovered, maximumAttributes)
    }

    // MARK: Discovery

    func discoverServices(
        _ peripheral: Peripheral, _ uuids: [BluetoothUUID]?, timeout: Duration?, _ owner: isolated some CentralOwner
    ) async throws(PeripheralError) -> [Service] {
        _ = try owner.book.record(of: peripheral, owner)
        let operation = CentralOperation.discoverServices(peripheral.identifier, uuids)
        return try await owner.perform(operation, over: .discovery, timeout: timeout) {
            manager, record, outcome -> Result<[Service], PeripheralError> in
            if case .reply(.services(let found)) = outcome, let record {
                return take(services: found, into: record, replacing: uuids == nil).mapError { .backend($0) }
            }
            if case .timedOut = outcome { record?.connection.fail(.serviceDiscoveryTimeout, manager) }
            return .failure(PeripheralError(outcome, timeout: .serviceDiscoveryTimeout))
        }
    }

    func discoverIncludedServices(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, _ owner: isolated some CentralOwner
    ) async throws(ServiceError) -> [Service] {
        let id = try owner.book.record(of: service, owner).peripheral.identifier
        let operation = CentralOperation.discoverIncludedServices(id, service: service.id, uuids)
        return try await owner.perform(operation, over: .discovery, timeout: timeout) {
            manager, record, outcome -> Result<[Service], ServiceError> in
            guard case .reply(.services(let found)) = outcome else {
                return .failure(ServiceError(outcome, timeout: .includedServiceDiscoveryTimeout))
            }
            guard let record, record.database.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            let included = take(services: found, into: record)
            if case .success(let included) = included { service.facts.withLock { $0.includedServices = included } }
            return included.mapError { .backend($0) }
        }
    }

    /// Discovers characteristics. With `endsLink`, a link whose attributes do not come in time is ended, as a loss: it
    /// is of no use and may be dead.
    func discoverCharacteristics(
        _ service: Service, _ uuids: [BluetoothUUID]?, timeout: Duration?, endsLink: Bool = false,
        _ owner: isolated some CentralOwner
    ) async throws(ServiceError) -> [Characteristic] {
        let id = try owner.book.record(of: service, owner).peripheral.identifier
        let operation = CentralOperation.discoverCharacteristics(id, service: service.id, uuids)
        return try await owner.perform(operation, over: .discovery, timeout: timeout) {
            manager, record, outcome -> Result<[Characteristic], ServiceError> in
            guard case .reply(.characteristics(let found)) = outcome else {
                if case .timedOut = outcome, endsLink { record?.connection.fail(.serviceDiscoveryTimeout, manager) }
                return .failure(ServiceError(outcome, timeout: .characteristicDiscoveryTimeout))
            }
            guard let record, record.database.services[service.id] === service else {
                return .failure(.notDiscovered(service.uuid))
            }
            return take(characteristics: found, of: service, in: record, replacing: uuids == nil)
                .mapError { .backend($0) }
        }
    }

    func discoverDescriptors(
        _ characteristic: Characteristic, timeout: Duration?, _ owner: isolated some CentralOwner
    ) async throws(CharacteristicError) -> [Descriptor] {
        let id = try owner.book.record(of: characteristic, owner).peripheral.identifier
        let operation = CentralOperation.discoverDescriptors(id, characteristic: characteristic.id)
        return try await owner.perform(operation, over: .discovery, timeout: timeout) {
            manager, record, outcome -> Result<[Descriptor], CharacteristicError> in
            guard case .reply(.descriptors(let found)) = outcome else {
                return .failure(CharacteristicError(outcome, timeout: .descriptorDiscoveryTimeout))
            }
            guard let record, record.database.characteristics[characteristic.id] === characteristic else {
                return .failure(.notDiscovered(characteristic.uuid))
            }
            return record.database.take(descriptors: found, of: characteristic, maximum: maximumAttributes)
                .mapError { .backend($0) }
        }
    }

    // MARK: Discovered attributes

    /// Takes in services that were found, if there is room for them.
    func take(
        services found: [DiscoveredService], into record: PeripheralRecord, replacing: Bool = false
    ) -> Result<[Service], BackendFailure> {
        record.database.take(services: found, replacing: replacing, maximum: maximumAttributes)
    }

    /// Takes in characteristics that were found, if there is room for them, and reports them to the app's streams.
    func take(
        characteristics found: [DiscoveredCharacteristic], of service: Service, in record: PeripheralRecord,
        replacing: Bool
    ) -> Result<[Characteristic], BackendFailure> {
        let taken = record.database.take(
            characteristics: found, of: service, replacing: replacing, maximum: maximumAttributes)
        if case .success(let characteristics) = taken { report(characteristics) }
        return taken
    }

    /// Reports characteristics to the app's streams of discovered ones.
    func report(_ characteristics: [Characteristic]) {
        for characteristic in characteristics { discovered.push(characteristic) }
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
