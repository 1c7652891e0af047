// SPDX-License-Identifier: MIT

import BlueCap

/// The profiles that the library ships, and the names that the Bluetooth SIG has assigned.
enum KnownProfiles {
    /// All profiles, as a central takes them; of two for one service those of the Bluetooth SIG count.
    static let manager = ProfileManager.all

    // Characteristics turn up in services that the profiles do not list them in, as the Battery Level in a service of a
    // maker's own.
    private static let characteristics: [BluetoothUUID: CharacteristicProfile] = {
        let all = manager.services.flatMap(\.characteristics).map { ($0.uuid, $0) }
        return Dictionary(all, uniquingKeysWith: { first, _ in first })
    }()

    /// The profile of a characteristic: that of its service if it has one, else that of any service; nil where none is
    /// known.
    static func profile(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> CharacteristicProfile? {
        let own = service.flatMap { manager.service(withUUID: $0) }?.characteristics.first { $0.uuid == uuid }
        return own ?? characteristics[uuid]
    }

    /// The name of a service; nil where none is known.
    static func serviceName(_ uuid: BluetoothUUID) -> String? {
        manager.service(withUUID: uuid)?.name ?? AssignedNumbers.serviceName(uuid) ?? AssignedNumbers.memberName(uuid)
    }

    /// The name of a characteristic; nil where none is known.
    static func characteristicName(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> String? {
        profile(uuid, in: service)?.name ?? AssignedNumbers.characteristicName(uuid)
    }

    /// The name of a service; its UUID, as short as it can be written, where none is known.
    static func service(_ uuid: BluetoothUUID) -> String { serviceName(uuid) ?? uuid.description }

    /// The name of a characteristic; its UUID, as short as it can be written, where none is known.
    static func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> String {
        characteristicName(uuid, in: service) ?? uuid.description
    }
}
