// SPDX-License-Identifier: MIT

import BlueCap

/// The device that the shell is connected to, or was last.
struct ShellPeer: Sendable {
    struct Service: Sendable {
        var uuid: BluetoothUUID
        /// The name of its profile; the UUID where none is known.
        var name: String
        var isPrimary: Bool
        var characteristics: [ShellCharacteristic]
    }

    var id: String
    /// Name and identifier, as messages have them.
    var label: String
    var name: String
    var isConnected: Bool
    var isBonded: Bool
    /// The strength of the link in dBm, where it was measured.
    var rssi: Int?
    /// Its services, in the order of the database.
    var services: [Service]

    init(_ peripheral: Peripheral) {
        id = peripheral.identifier.text
        label = peripheral.label
        name = TextLayout.printable(peripheral.displayName)
        (isConnected, isBonded) = (peripheral.isConnected, peripheral.isBonded)
        services = peripheral.services.map { service in
            Service(
                uuid: service.uuid, name: KnownProfiles.service(service.uuid), isPrimary: service.isPrimary,
                characteristics: service.characteristics.map { ShellCharacteristic($0, in: service) })
        }
    }

    var characteristics: [ShellCharacteristic] { services.flatMap(\.characteristics) }

    /// The characteristic with an identifier; nil where there is none.
    func characteristic(_ id: AttributeID) -> ShellCharacteristic? { characteristics.first { $0.id == id } }

    /// The characteristic that a selector means.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/refused`` where it means none or several.
    func characteristic(_ selector: CharacteristicSelector) throws(CommandFailure) -> ShellCharacteristic {
        let all = services.flatMap { service in service.characteristics.map { (service, $0) } }
        let found = selector.matches(among: all) { service, each in
            (
                CharacteristicSelector.Named(uuid: service.uuid, name: service.name),
                CharacteristicSelector.Named(uuid: each.uuid, name: each.name, id: each.id)
            )
        }
        if let only = found.first, found.count == 1 { return only.1 }
        let text = TextLayout.printable(selector.text)
        if found.isEmpty {
            throw CommandFailure(.refused, "\(label) has no characteristic '\(text)': 'tree' shows what it has")
        }
        let handles = found.map(\.1.id.description).joined(separator: ", ")
        throw CommandFailure(.refused, "'\(text)' is each of these, so choose by handle: \(handles)")
    }

    /// Changes the characteristic with an identifier; does nothing where there is none.
    mutating func change(_ id: AttributeID, _ body: (inout ShellCharacteristic) -> Void) {
        for service in services.indices {
            for index in services[service].characteristics.indices
            where services[service].characteristics[index].id == id {
                body(&services[service].characteristics[index])
            }
        }
    }
}
