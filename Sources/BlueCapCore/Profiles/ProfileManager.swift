// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// The profiles that a program knows, by service.
///
/// A ``CentralManager`` is given one in its configuration and takes the names and texts of what it discovers from it.
/// It is a value: what is added to a copy later is not seen by those that have another.
public struct ProfileManager: Sendable {
    private var table: OrderedTable<BluetoothUUID, ServiceProfile> = [:]

    /// A manager with some profiles; of two with one UUID the last counts.
    public init(services: [any ServiceProfileProtocol] = []) {
        for service in services { addService(service) }
    }

    /// The profiles, in the order in which their UUIDs were first added.
    public var services: [ServiceProfile] { table.values }

    /// Adds the profile of a service with those of its characteristics; it takes the place of one with the same UUID.
    ///
    /// - Returns: The profile itself.
    @discardableResult
    public mutating func addService<Profile: ServiceProfileProtocol>(_ service: Profile) -> Profile {
        table[service.uuid] = service.profile
        return service
    }

    /// A copy with the profiles of another manager as well; of two with one UUID the other's counts.
    public func adding(_ other: ProfileManager) -> ProfileManager {
        var copy = self
        for service in other.services { copy.addService(service) }
        return copy
    }

    /// The profile of the service with a UUID; nil when none was added.
    public func service(withUUID uuid: BluetoothUUID) -> ServiceProfile? { table[uuid] }

    /// The profile of a characteristic in the service with a UUID.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - service: The UUID of the service, as characteristics of several services may share a UUID.
    /// - Returns: The profile that was added; for any other characteristic ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(_ uuid: BluetoothUUID, in service: BluetoothUUID) -> CharacteristicProfile {
        table[service]?.characteristicProfile(withUUID: uuid) ?? CharacteristicProfile(uuid: uuid)
    }
}

extension ProfileManager: CustomStringConvertible {
    /// The names of the services: `ProfileManager(Heart Rate, Battery)`.
    public var description: String { "ProfileManager(\(services.map(\.name).joined(separator: ", ")))" }
}
