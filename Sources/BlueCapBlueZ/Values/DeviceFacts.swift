#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapSerDe
import DBus

/// Reads the properties of a `Device1`: a view that BlueZ merges from all packets, not one advertisement.
package struct DeviceFacts {
    private let properties: ObjectTree.Properties

    /// A view of the properties.
    package init(_ properties: ObjectTree.Properties) { self.properties = properties }

    /// The address, which is the identifier.
    package var identifier: PeripheralIdentifier? {
        properties["Address"]?.stringValue.map { PeripheralIdentifier($0) }
    }

    /// The name that the peripheral gives itself, or else the alias that a user gave it; not BlueZ's stand-in, which
    /// is the address with dashes.
    package var name: String? {
        if let name = properties["Name"]?.stringValue { return name }
        guard let alias = properties["Alias"]?.stringValue, let address = identifier?.text else { return nil }
        return alias.uppercased() == address.map { $0 == ":" ? "-" : String($0) }.joined() ? nil : alias
    }

    /// Whether the device was received by a discovery that still runs.
    package var isSighted: Bool { properties["RSSI"] != nil }

    /// Signal strength in dBm; BlueZ's 127 stands for unknown.
    package var rssi: Int? {
        properties["RSSI"]?.int16Value.flatMap { $0 == 127 ? nil : Int($0) }
    }

    /// Whether there are keys; `Bonded` is there since 5.65, and `Paired` said the same of LE devices before.
    package var isBonded: Bool { (properties["Bonded"] ?? properties["Paired"])?.boolValue ?? false }
    package var isConnected: Bool { properties["Connected"]?.boolValue ?? false }
    package var areServicesResolved: Bool { properties["ServicesResolved"]?.boolValue ?? false }

    /// Advertised service UUIDs and, once they were resolved, those of the GATT database.
    package var uuids: [BluetoothUUID] {
        (properties["UUIDs"]?.stringsValue ?? []).compactMap { try? BluetoothUUID($0) }
    }

    package var advertisements: PeripheralAdvertisements {
        let structures = structures
        return PeripheralAdvertisements(
            localName: properties["Name"]?.stringValue,
            manufacturerData: manufacturerData,
            txPower: properties["TxPower"]?.int16Value.map { Int($0) },
            serviceUUIDs: uuids,
            serviceData: serviceData,
            solicitedServiceUUIDs: structures.flatMap(Self.solicited),
            appearance: properties["Appearance"]?.uint16Value,
            flags: properties["AdvertisingFlags"]?.bytesValue?.first.map { AdvertisingFlags(rawValue: $0) },
            structures: structures)
    }

    /// The sighting that the properties amount to; nil without an address.
    package func sighting(as identifier: PeripheralIdentifier) -> Sighting {
        Sighting(
            peripheral: identifier, name: name, advertisements: advertisements, rssi: rssi,
            isBonded: isBonded)
    }

    private var manufacturerData: [UInt16: Bytes] {
        var data: [UInt16: Bytes] = [:]
        for entry in properties["ManufacturerData"]?.entriesValue ?? [] {
            guard let company = entry.key.uint16Value, let bytes = entry.value.bytesValue else { continue }
            data[company] = Bytes(bytes)
        }
        return data
    }

    private var serviceData: [BluetoothUUID: Bytes] {
        var data: [BluetoothUUID: Bytes] = [:]
        for entry in properties["ServiceData"]?.entriesValue ?? [] {
            guard let text = entry.key.stringValue, let uuid = try? BluetoothUUID(text),
                let bytes = entry.value.bytesValue
            else { continue }
            data[uuid] = Bytes(bytes)
        }
        return data
    }

    private var structures: [ADStructure] {
        let entries = properties["AdvertisingData"]?.entriesValue ?? []
        return entries.compactMap { entry in
            guard let type = entry.key.byteValue, let bytes = entry.value.bytesValue else { return nil }
            return ADStructure(type: type, data: Bytes(bytes))
        }.sorted { $0.type < $1.type }
    }

    /// Solicited services (AD types 0x14, 0x15, 0x1F).
    private static func solicited(_ structure: ADStructure) -> [BluetoothUUID] {
        let size: Int
        switch structure.type {
        case 0x14: size = 2
        case 0x1F: size = 4
        case 0x15: size = 16
        default: return []
        }
        return stride(from: 0, through: structure.data.count - size, by: size).compactMap { start in
            try? BluetoothUUID(littleEndianBytes: structure.data[start..<start + size])
        }
    }
}

extension CharacteristicProperties {
    /// From the `Flags` of a `GattCharacteristic1`.
    package init(flags: [String]) {
        self = flags.reduce(into: []) { properties, flag in
            if let known = Self.flags[flag] { properties.formUnion(known) }
        }
    }

    private static let flags: [String: CharacteristicProperties] = [
        "broadcast": .broadcast, "read": .read, "write-without-response": .writeWithoutResponse, "write": .write,
        "notify": .notify, "indicate": .indicate, "authenticated-signed-writes": .authenticatedSignedWrites,
        "extended-properties": .extendedProperties, "encrypt-read": .read, "encrypt-authenticated-read": .read,
        "secure-read": .read, "encrypt-write": .write, "encrypt-authenticated-write": .write,
        "secure-write": .write, "encrypt-notify": [.notify, .notifyEncryptionRequired],
        "encrypt-authenticated-notify": [.notify, .notifyEncryptionRequired],
        "secure-notify": [.notify, .notifyEncryptionRequired],
        "encrypt-indicate": [.indicate, .indicateEncryptionRequired],
        "encrypt-authenticated-indicate": [.indicate, .indicateEncryptionRequired],
        "secure-indicate": [.indicate, .indicateEncryptionRequired],
    ]
}
#endif
