// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// What a service is called, and the profiles of its characteristics.
public struct ServiceProfile: ServiceProfileProtocol {
    /// The UUID.
    public let uuid: BluetoothUUID
    /// The name, for people.
    public let name: String
    /// The group in which a browser of profiles shows the service.
    public let tag: String
    private var table: OrderedTable<BluetoothUUID, CharacteristicProfile> = [:]

    /// The profile of a service of which only the UUID is known: "Unknown".
    public init(uuid: BluetoothUUID) { self.init(uuid: uuid, name: CharacteristicProfile.unknownName) }

    /// A profile with the profiles of some characteristics; of two with one UUID the last counts.
    public init(
        uuid: BluetoothUUID, name: String, tag: String = "Miscellaneous",
        characteristics: [any CharacteristicProfileProtocol] = []
    ) {
        self.uuid = uuid
        self.name = name
        self.tag = tag
        for characteristic in characteristics { addCharacteristic(characteristic) }
    }

    /// Itself.
    public var profile: ServiceProfile {
        get { self }
        set { self = newValue }
    }

    /// The profiles of the characteristics, in the order in which their UUIDs were first added.
    public var characteristics: [CharacteristicProfile] { table.values }

    /// Adds the profile of a characteristic; it takes the place of one with the same UUID.
    public mutating func addCharacteristic(_ characteristic: some CharacteristicProfileProtocol) {
        table[characteristic.uuid] = characteristic.profile
    }

    /// The profile of the characteristic with a UUID; for a UUID that was not added ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(withUUID uuid: BluetoothUUID) -> CharacteristicProfile {
        table[uuid] ?? CharacteristicProfile(uuid: uuid)
    }
}

extension ServiceProfile: CustomStringConvertible {
    /// Name and UUID.
    public var description: String { "\(name) (\(uuid))" }
}

/// A profile of a service, of whichever kind: what ``ProfileManager/addService(_:)`` takes.
public protocol ServiceProfileProtocol: Sendable {
    /// The same without the configuration's type.
    var profile: ServiceProfile { get set }
}

extension ServiceProfileProtocol {
    /// The UUID.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name, for people.
    public var name: String { profile.name }

    /// The group in which a browser of profiles shows the service.
    public var tag: String { profile.tag }

    /// The profiles of the characteristics, in the order in which their UUIDs were first added.
    public var characteristics: [CharacteristicProfile] { profile.characteristics }

    /// Adds the profile of a characteristic; it takes the place of one with the same UUID.
    public mutating func addCharacteristic(_ characteristic: some CharacteristicProfileProtocol) {
        profile.addCharacteristic(characteristic)
    }

    /// The profile of the characteristic with a UUID; for a UUID that was not added ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(withUUID uuid: BluetoothUUID) -> CharacteristicProfile {
        profile.characteristicProfile(withUUID: uuid)
    }
}

/// The profile of a service that a type declares.
///
/// ```swift
/// var profile = ConfiguredServiceProfile<AccelerometerService>()
/// profile.addCharacteristic(RawCharacteristicProfile<Enabled>())
/// ```
public struct ConfiguredServiceProfile<Configuration: ServiceConfigurable>: ServiceProfileProtocol {
    /// The same without the configuration's type.
    public var profile: ServiceProfile

    /// The profile as the type declares it, with the profiles of some characteristics; of two with one UUID the last counts.
    public init(characteristics: [any CharacteristicProfileProtocol] = []) {
        profile = ServiceProfile(
            uuid: Configuration.uuid, name: Configuration.name, tag: Configuration.tag, characteristics: characteristics
        )
    }
}
