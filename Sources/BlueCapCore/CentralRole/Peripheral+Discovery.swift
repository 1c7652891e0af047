// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Peripheral {
    /// Discovers all services, or the services with the UUIDs.
    ///
    /// All services replace the services discovered before; services with given UUIDs are added to them.
    ///
    /// - Parameters:
    ///   - uuids: The services to discover; nil for all.
    ///   - timeout: The maximum time from the call, including the wait for other discoveries; nil for no limit. When it
    ///     passes, the connection is ended, because a link without discovered services is of no use.
    /// - Returns: The discovered attributes, in the order of the peer's database.
    /// - Throws: `.serviceDiscoveryTimeout`, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`, `.att`,
    ///   `.backend`.
    @discardableResult
    public func discoverServices(
        _ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil
    ) async throws(PeripheralError) -> [Service] {
        let manager = try requireManager()
        return try await manager.connections.databases.discoverServices(self, uuids, timeout: timeout, manager)
    }

    /// Discovers services and all their characteristics.
    ///
    /// - Parameters:
    ///   - uuids: The services to discover; nil for all.
    ///   - timeout: The maximum time of the whole discovery, from the call; as for ``discoverServices(_:timeout:)``.
    /// - Throws: As ``discoverServices(_:timeout:)``; `.missing` with the first of `uuids` that the peer does not have.
    public func discover(_ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil) async throws(PeripheralError) {
        let manager = try requireManager()
        let end = timeout.map { clock.elapsed + $0 }
        let found = try await manager.connections.databases.discoverServices(self, uuids, timeout: timeout, manager)
        if let missing = uuids?.first(where: { uuid in !found.contains { $0.uuid == uuid } }) {
            throw .missing(missing)
        }
        for service in found {
            do {
                let left = end.map { $0 - clock.elapsed }
                _ = try await manager.connections.databases.discoverCharacteristics(
                    service, nil, timeout: left, endsLink: true, manager)
            } catch {
                throw PeripheralError(error)
            }
        }
    }

    /// Returns the characteristic with a UUID, to be read and written as bytes.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - service: The only service to search; nil for all discovered services.
    /// - Throws: `.notDiscovered`, or `.missing` if everything was discovered where it is searched; `.ambiguous` if
    ///   several characteristics have the UUID: pass the service, or pick one of
    ///   ``Service/characteristics(withUUID:)``.
    public func characteristic(
        _ uuid: BluetoothUUID, in service: Service? = nil
    ) throws(CharacteristicError) -> Characteristic {
        let (all, hasAll) = facts.withLock { ($0.services, $0.hasAllServices) }
        let searched = service.map { [$0] } ?? all
        let found = searched.flatMap { $0.characteristics(withUUID: uuid) }
        guard let first = found.first else {
            let isAll = (hasAll || service != nil) && searched.allSatisfy { $0.facts.withLock(\.hasAllCharacteristics) }
            throw isAll ? .missing(uuid) : .notDiscovered(uuid)
        }
        if found.count > 1 { throw .ambiguous(uuid, count: found.count) }
        return first
    }

    /// Returns the characteristic with values of a type; the type names the UUID.
    ///
    /// - Parameters:
    ///   - type: The type that declares the characteristic.
    ///   - service: The only service to search; nil for all discovered services.
    /// - Throws: As ``characteristic(_:in:)-(BluetoothUUID,_)``.
    public func characteristic<Value: CharacteristicValue>(
        _ type: Value.Type, in service: Service? = nil
    ) throws(CharacteristicError) -> TypedCharacteristic<Value> {
        TypedCharacteristic(try characteristic(Value.uuid, in: service))
    }
}

extension PeripheralError {
    init(_ error: ServiceError) {
        switch error {
        case .characteristicDiscoveryTimeout, .includedServiceDiscoveryTimeout: self = .serviceDiscoveryTimeout
        case .unconfigured, .invalidated: self = .invalidated
        case .unsupported: self = .unsupported
        case .cancelled: self = .cancelled
        case .disconnected: self = .disconnected
        case .poweredOff: self = .poweredOff
        case .att(let error): self = .att(error)
        case .backend(let failure): self = .backend(failure)
        case .notDiscovered(let uuid): self = .notDiscovered(uuid)
        case .ambiguous(let uuid, let count): self = .ambiguous(uuid, count: count)
        }
    }
}
