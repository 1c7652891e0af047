// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The profiles that the library ships and those of `--profiles`, and the names that the Bluetooth SIG has assigned.
enum KnownProfiles {
    private struct Known {
        var manager: ProfileManager
        // Characteristics turn up in services that the profiles do not list them in, as the Battery Level in a service
        // of a maker's own.
        var characteristics: [BluetoothUUID: CharacteristicProfile] = [:]

        init(_ manager: ProfileManager) {
            self.manager = ProfileManager()
            add(manager, isBetter: false)
        }

        /// Adds profiles; of two profiles for one characteristic in another service the better one counts, or the
        /// first.
        mutating func add(_ profiles: ProfileManager, isBetter: Bool) {
            manager = manager.adding(profiles)
            let all = profiles.services.flatMap(\.characteristics).map { ($0.uuid, $0) }
            let added = Dictionary(all, uniquingKeysWith: { first, _ in first })
            characteristics.merge(added) { isBetter ? $1 : $0 }
        }
    }

    private static let known = Locked(Known(.all))

    /// All profiles, as a central takes them; of two profiles for one service those of `--profiles` count, then those
    /// of the Bluetooth SIG.
    static var manager: ProfileManager { known.withLock { $0.manager } }

    /// Adds the profiles of a file, which count where the library has others.
    static func add(_ profiles: ProfileManager) { known.withLock { $0.add(profiles, isBetter: true) } }

    /// The profile of a characteristic: that of its service if it has one, else that of any service; nil where none is
    /// known.
    static func profile(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> CharacteristicProfile? {
        let own = service.flatMap { manager.service(withUUID: $0) }?.characteristics.first { $0.uuid == uuid }
        return own ?? known.withLock { $0.characteristics[uuid] }
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
