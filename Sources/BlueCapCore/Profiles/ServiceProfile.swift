// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// The name of a service and the profiles of its characteristics.
public struct ServiceProfile: ServiceProfileProtocol {
    /// The UUID by which a discovered service gets this profile.
    public let uuid: BluetoothUUID
    /// The name for people, which is not sent.
    public let name: String
    /// The group in which a browser of profiles shows the service.
    public let tag: String
    /// The type that declares the service; nil for a profile created from its parts.
    package internal(set) var configuration: (any ServiceConfigurable.Type)?
    private var table: OrderedTable<BluetoothUUID, CharacteristicProfile> = [:]

    /// Creates the profile of a service of which only the UUID is known, with the name "Unknown".
    public init(uuid: BluetoothUUID) { self.init(uuid: uuid, name: CharacteristicProfile.unknownName) }

    /// Creates a profile with the profiles of some characteristics.
    ///
    /// - Parameters:
    ///   - uuid: The UUID by which a discovered service gets this profile.
    ///   - name: The name for people, which is not sent.
    ///   - tag: The group in which a browser of profiles shows the service.
    ///   - characteristics: The profiles of its characteristics; of two profiles with the same UUID the last is used.
    public init(
        uuid: BluetoothUUID, name: String, tag: String = "Miscellaneous",
        characteristics: [any CharacteristicProfileProtocol] = []
    ) {
        self.uuid = uuid
        self.name = name
        self.tag = tag
        for characteristic in characteristics { addCharacteristic(characteristic) }
    }

    /// Returns this profile itself.
    public var profile: ServiceProfile {
        get { self }
        set { self = newValue }
    }

    /// The profiles of the characteristics, in the order in which their UUIDs were first added.
    public var characteristics: [CharacteristicProfile] { table.values }

    public mutating func addCharacteristic(_ characteristic: some CharacteristicProfileProtocol) {
        table[characteristic.uuid] = characteristic.profile
    }

    /// Returns the profile of the characteristic with a UUID; for a UUID that was not added the profile of
    /// ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(withUUID uuid: BluetoothUUID) -> CharacteristicProfile {
        table[uuid] ?? CharacteristicProfile(uuid: uuid)
    }
}

extension ServiceProfile: CustomStringConvertible {
    /// The name and the UUID.
    public var description: String { "\(name) (\(uuid))" }
}
