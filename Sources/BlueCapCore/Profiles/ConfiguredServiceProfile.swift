// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The profile of a service that a type declares.
///
/// ```swift
/// var profile = ConfiguredServiceProfile<AccelerometerService>()
/// profile.addCharacteristic(RawCharacteristicProfile<Enabled>())
/// ```
public struct ConfiguredServiceProfile<Configuration: ServiceConfigurable>: ServiceProfileProtocol {
    /// The same without the configuration's type.
    public var profile: ServiceProfile

    /// The profile as the type declares it, with the profiles of some characteristics; of two with one UUID the last
    /// counts.
    public init(characteristics: [any CharacteristicProfileProtocol] = []) {
        profile = ServiceProfile(
            uuid: Configuration.uuid, name: Configuration.name, tag: Configuration.tag, characteristics: characteristics
        )
        profile.configuration = Configuration.self
    }
}
