// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapSerDe

/// A characteristic as a rule names it: `2A19`, `180F/2A19`, `Battery Level` or `Battery/Battery Level`.
package struct CharacteristicName: Hashable, Sendable {
    /// The reason why a text is no name of a characteristic.
    enum Fault: Error {
        case unknown
        /// Characteristics of several UUIDs have the name.
        case ambiguous
    }

    /// As the rule has it; in commands it is the key of the characteristic.
    package let text: String
    /// Nil for any service.
    let service: BluetoothUUID?
    let characteristic: BluetoothUUID

    /// - Parameters:
    ///   - text: A UUID or a name, in capitals or not; behind the name of its service and a slash, if wanted.
    ///   - profiles: The profiles that have names.
    init(_ text: String, in profiles: ProfileManager) throws(Fault) {
        self.text = text
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        var services = profiles.services
        if parts.count == 2 {
            let name = Self.fold(parts[0])
            let uuid = (try? BluetoothUUID(text: parts[0])) ?? services.first { Self.fold($0.name) == name }?.uuid
            guard let uuid else { throw .unknown }
            (service, services) = (uuid, services.filter { $0.uuid == uuid })
        } else {
            service = nil
        }
        let last = parts[parts.count - 1]
        if let uuid = try? BluetoothUUID(text: last) {
            characteristic = uuid
            return
        }
        let name = Self.fold(last)
        let found = Set(services.flatMap(\.characteristics).filter { Self.fold($0.name) == name }.map(\.uuid))
        guard let first = found.first else { throw .unknown }
        if found.count > 1 { throw .ambiguous }
        characteristic = first
    }

    /// Whether another name may be of the same characteristic of a device.
    func mayBe(_ other: CharacteristicName) -> Bool {
        characteristic == other.characteristic && (service == nil || other.service == nil || service == other.service)
    }

    /// Letters and digits in lower case, as the commands of the tool compare names.
    private static func fold(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// The characteristic of a peripheral whose services are discovered.
    func find(on peripheral: Peripheral) throws(CharacteristicError) -> Characteristic {
        guard let uuid = service else { return try peripheral.characteristic(characteristic) }
        guard let found = peripheral.services.first(where: { $0.uuid == uuid }) else { throw .notDiscovered(uuid) }
        return try peripheral.characteristic(characteristic, in: found)
    }
}
#endif
