// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A collection of the profiles that a program knows, by service.
///
/// The configuration of a ``CentralManager`` holds a profile manager; the central manager takes the names and texts of
/// discovered services and characteristics from it. It is a value: a profile that is added to a copy does not change
/// other copies.
public struct ProfileManager: Sendable {
    private var table: OrderedTable<BluetoothUUID, ServiceProfile> = [:]

    /// Creates a manager with some profiles.
    ///
    /// Of two profiles with the same UUID the last is used.
    public init(services: [any ServiceProfileProtocol] = []) { for service in services { addService(service) } }

    /// The profiles, in the order in which their UUIDs were first added.
    public var services: [ServiceProfile] { table.values }

    /// Adds the profile of a service with the profiles of its characteristics.
    ///
    /// It replaces a profile with the same UUID.
    ///
    /// - Returns: The profile itself.
    @discardableResult
    public mutating func addService<Profile: ServiceProfileProtocol>(_ service: Profile) -> Profile {
        table[service.uuid] = service.profile
        return service
    }

    /// Returns a copy with the profiles of another manager added.
    ///
    /// Of two profiles with the same UUID the other manager's is used.
    public func adding(_ other: ProfileManager) -> ProfileManager {
        var copy = self
        for service in other.services { copy.addService(service) }
        return copy
    }

    /// Returns the profile of the service with a UUID; nil if no such profile was added.
    public func service(withUUID uuid: BluetoothUUID) -> ServiceProfile? { table[uuid] }

    /// Returns the profile of a characteristic in the service with a UUID.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - service: The UUID of the service, as characteristics of several services may share a UUID.
    /// - Returns: The profile that was added; for any other characteristic the profile of
    ///   ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(_ uuid: BluetoothUUID, in service: BluetoothUUID) -> CharacteristicProfile {
        table[service]?.characteristicProfile(withUUID: uuid) ?? CharacteristicProfile(uuid: uuid)
    }
}

extension ProfileManager: CustomStringConvertible {
    /// The names of the services: `ProfileManager(Heart Rate, Battery)`.
    public var description: String { "ProfileManager(\(services.map(\.name).joined(separator: ", ")))" }
}
