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
/// It belongs to its peripheral and does not keep it. After a reconnection it stands for the service again once
/// services are discovered again and the peer still has it.
public final class Service: Sendable, Identifiable {
    /// What can be read without `await`.
    struct Facts {
        var characteristics: [Characteristic] = []
        var includedServices: [Service] = []

        mutating func takeIncluded() -> [Service] {
            defer { includedServices = [] }
            return includedServices
        }
    }

    /// Names the service in the peer's database; services that share a UUID differ in it.
    public let id: AttributeID
    /// The UUID, which names the kind of the service.
    public let uuid: BluetoothUUID
    /// Whether it is a primary service.
    public let isPrimary: Bool
    /// The profile that the manager was given for services with the UUID; one by the name "Unknown" where it was given
    /// none.
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
        // Of a chain of services, each of which would end within the end of the one before.
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

    /// The characteristics with a UUID: several where the service has several.
    public func characteristics(withUUID uuid: BluetoothUUID) -> [Characteristic] {
        characteristics.filter { $0.uuid == uuid }
    }

    /// The included services discovered last.
    public var includedServices: [Service] { facts.withLock { $0.includedServices } }

    /// Discovers characteristics: all, or those with the UUIDs.
    ///
    /// - Parameters:
    ///   - uuids: The characteristics to discover; nil for all.
    ///   - timeout: How long it may take, from the call, the wait for other discoveries included; nil for as long as it
    ///     takes.
    /// - Returns: What was found, in the order of the peer's database.
    /// - Throws: `.characteristicDiscoveryTimeout` (the connection stays), `.notDiscovered` when services were not
    ///   discovered since the connection was made, `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`,
    ///   `.att`, `.backend`, `.unconfigured`.
    @discardableResult
    public func discoverCharacteristics(
        _ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil
    ) async throws(ServiceError) -> [Characteristic] {
        try await requireManager().discoverCharacteristics(self, uuids, timeout: timeout)
    }

    /// Discovers the services that this one includes: all, or those with the UUIDs.
    ///
    /// - Parameters:
    ///   - uuids: The UUIDs to look for; nil for every included service.
    ///   - timeout: How long it may take, from the call; nil for as long as the platform waits.
    /// - Throws: `.includedServiceDiscoveryTimeout` (the connection stays), else as
    ///   ``discoverCharacteristics(_:timeout:)``.
    @discardableResult
    public func discoverIncludedServices(
        _ uuids: [BluetoothUUID]? = nil, timeout: Duration? = nil
    ) async throws(ServiceError) -> [Service] {
        try await requireManager().discoverIncludedServices(self, uuids, timeout: timeout)
    }

    private func requireManager() throws(ServiceError) -> CentralManager {
        guard let peripheral else { throw .unconfigured }
        guard let manager = peripheral.manager else { throw .invalidated }
        return manager
    }
}

extension Service: Hashable {
    /// Whether both are the same object.
    public static func == (left: Service, right: Service) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Service: CustomStringConvertible {
    /// UUID and place in the database.
    public var description: String { "service \(uuid) at \(id)" }
}

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension Service {
    /// The old name of ``discoverCharacteristics(_:timeout:)``.
    @available(*, unavailable, renamed: "discoverCharacteristics(_:timeout:)")
    public func discoverAllCharacteristics(timeout: Double = .infinity) {}
}
