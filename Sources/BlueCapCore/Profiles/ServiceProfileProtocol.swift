// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A profile of a service, of any kind; ``ProfileManager/addService(_:)`` accepts it.
public protocol ServiceProfileProtocol: Sendable {
    /// The profile without the type of the configuration.
    var profile: ServiceProfile { get }

    /// Adds the profile of a characteristic.
    ///
    /// It replaces a profile with the same UUID.
    mutating func addCharacteristic(_ characteristic: some CharacteristicProfileProtocol)
}

extension ServiceProfileProtocol {
    /// The UUID by which a discovered service gets this profile.
    public var uuid: BluetoothUUID { profile.uuid }

    /// The name for people, which is not sent.
    public var name: String { profile.name }

    /// The group in which a browser of profiles shows the service.
    public var tag: String { profile.tag }

    /// The profiles of the characteristics, in the order in which their UUIDs were first added.
    public var characteristics: [CharacteristicProfile] { profile.characteristics }

    /// Returns the profile of the characteristic with a UUID; for a UUID that was not added the profile of
    /// ``CharacteristicProfile/init(uuid:)``.
    public func characteristicProfile(withUUID uuid: BluetoothUUID) -> CharacteristicProfile {
        profile.characteristicProfile(withUUID: uuid)
    }
}
