// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A service of a connected peripheral: a handle with a stable identity.
///
/// ```swift
/// try await strap.discover([BatteryService.uuid], timeout: .seconds(5))
/// let battery = try strap.service(BatteryService.uuid)
/// for characteristic in battery.characteristics where characteristic.canRead {
///     print(characteristic.name, try await characteristic.read(timeout: .seconds(2)).hex)
/// }
/// ```
///
/// A service belongs to its peripheral and does not retain it. After a reconnection it represents the peer's service
/// again once services are discovered again and the peer still has it.
public final class Service: Sendable, Identifiable {
    /// The properties that can be read without `await`.
    struct Facts {
        var characteristics: [Characteristic] = []
        /// Whether the characteristics are all of the service's.
        var hasAllCharacteristics = false
        var includedServices: [Service] = []

        mutating func takeIncluded() -> [Service] {
            defer { includedServices = [] }
            return includedServices
        }
    }

    /// The identifier of the service in the peer's database; it distinguishes services that share a UUID.
    public let id: AttributeID
    /// The UUID, which names the kind of the service.
    public let uuid: BluetoothUUID
    /// A Boolean value that is true for a primary service.
    public let isPrimary: Bool
    /// The manager's profile for services with the UUID; if it has none, a profile with the name "Unknown".
    public let profile: ServiceProfile
    let facts = Locked(Facts())
    private weak let weakPeripheral: Peripheral?

    init(_ found: DiscoveredService, of peripheral: Peripheral) {
        id = found.id
        uuid = found.uuid
        isPrimary = found.isPrimary
        profile = peripheral.manager?.profiles.service(withUUID: found.uuid) ?? ServiceProfile(uuid: found.uuid)
        weakPeripheral = peripheral
    }

    deinit {
        // Services that include each other form a chain. The loop avoids a recursion of their deinitializers.
        var ending = facts.withLock { $0.takeIncluded() }
        while var service = ending.popLast() {
            if isKnownUniquelyReferenced(&service) { ending += service.facts.withLock { $0.takeIncluded() } }
        }
    }

    /// The name in the profile, for people; "Unknown" without one.
    public var name: String { profile.name }

    /// The peripheral that has the service; nil once it is released.
    public var peripheral: Peripheral? { weakPeripheral }

    /// The characteristics discovered so far, in the order of the peer's database.
    public var characteristics: [Characteristic] { facts.withLock { $0.characteristics } }

    /// Returns the characteristics with a UUID, as many as the service has.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [Characteristic] {
        characteristics.filter { $0.uuid == uuid }
    }

    /// The included services discovered last.
    public var includedServices: [Service] { facts.withLock { $0.includedServices } }

    /// Discovers all characteristics, or the characteristics with the UUIDs.
    ///
    /// - Parameters:
    ///   - uuids: The characteristics to discover; nil for all.
    ///   - timeout: The maximum time from the call, including the wait for other discoveries; nil for no limit.
    /// - Returns: The discovered attributes, in the order of the peer's database.
    /// - Throws: `.characteristicDiscoveryTimeout` (the connection stays), `.notDiscovered` if services were not
    ///   discovered since the connection was made, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.att`, `.backend`, `.unconfigured`.
    @discardableResult
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil
    ) async throws(ServiceError) -> [Characteristic] {
        let manager = try requireManager()
        return try await manager.connections.databases.discoverCharacteristics(self, uuids, timeout: timeout, manager)
    }

    /// Discovers all services that this service includes, or the included services with the UUIDs.
    ///
    /// - Parameters:
    ///   - uuids: The UUIDs of the included services to discover; nil for all.
    ///   - timeout: The maximum time from the call; nil for as long as the platform waits.
    /// - Throws: `.includedServiceDiscoveryTimeout` (the connection stays); otherwise the errors of
    ///   ``discoverCharacteristics(_:timeout:)``.
    @discardableResult
    public func discoverIncludedServices(
        _ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil
    ) async throws(ServiceError) -> [Service] {
        let manager = try requireManager()
        return try await manager.connections.databases.discoverIncludedServices(self, uuids, timeout: timeout, manager)
    }

    private func requireManager() throws(ServiceError) -> CentralManager {
        guard let peripheral else { throw .unconfigured }
        guard let manager = peripheral.manager else { throw .invalidated }
        return manager
    }
}

extension Service: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: Service, right: Service) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Service: CustomStringConvertible {
    /// The UUID and the place in the database.
    public var description: String { "service \(uuid) at \(id)" }
}

/// Names of the first BlueCap, kept so that the compiler reports their present names.
extension Service {
    /// The old name of ``discoverCharacteristics(_:timeout:)``.
    @available(*, unavailable, renamed: "discoverCharacteristics(_:timeout:)")
    public func discoverAllCharacteristics(timeout: Double = .infinity) {}
}
