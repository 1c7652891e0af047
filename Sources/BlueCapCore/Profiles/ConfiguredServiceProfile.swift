// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The profile of a service that a type declares.
///
/// ```swift
/// var profile = ConfiguredServiceProfile<AccelerometerService>()
/// profile.addCharacteristic(RawCharacteristicProfile<Enabled>())
/// ```
public struct ConfiguredServiceProfile<Configuration: ServiceConfigurable>: ServiceProfileProtocol {
    public var profile: ServiceProfile

    /// Creates the profile as the type declares it, with the profiles of some characteristics.
    ///
    /// Of two profiles with the same UUID the last is used.
    public init(characteristics: [any CharacteristicProfileProtocol] = []) {
        profile = ServiceProfile(
            uuid: Configuration.uuid, name: Configuration.name, tag: Configuration.tag, characteristics: characteristics
        )
        profile.configuration = Configuration.self
    }

    public mutating func addCharacteristic(_ characteristic: some CharacteristicProfileProtocol) {
        profile.addCharacteristic(characteristic)
    }
}
