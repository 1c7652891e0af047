// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapSerDe
import BlueCapDBus

/// Reads the properties of a `Device1`: a view that BlueZ merges from all packets, not one advertisement.
package struct DeviceFacts {
    private let properties: ObjectMirror.Properties

    package init(_ properties: ObjectMirror.Properties) { self.properties = properties }

    /// The address, which is the identifier.
    package var identifier: PeerIdentifier? { properties[Device1.address].map { PeerIdentifier($0) } }

    /// Whether the address is that in a device's path.
    func hasAddress(of path: String) -> Bool {
        properties.text(of: Device1.address.name).map { BlueZPath.isDevice(path.utf8Span.span, at: $0.span) } ?? false
    }

    /// Whether the address is a random one; nil where BlueZ does not say.
    var hasRandomAddress: Bool? { properties[Device1.addressType].map { $0 == "random" } }

    /// The name that the peripheral gives itself, or else the alias that a user gave it; not BlueZ's stand-in, which
    /// is the address with dashes, and no empty text.
    package var name: String? {
        if let name = properties[Device1.name], !name.isEmpty { return name }
        guard let alias = properties[Device1.alias], !alias.isEmpty, let address = properties[Device1.address] else {
            return nil
        }
        return Self.isStandIn(alias, for: address) ? nil : alias
    }

    private static func isStandIn(_ alias: String, for address: String) -> Bool {
        let colon = UInt8(ascii: ":")
        let dash = UInt8(ascii: "-")
        return alias.utf8.count == address.utf8.count
            && zip(alias.utf8, address.utf8).allSatisfy { upperCased($0) == ($1 == colon ? dash : upperCased($1)) }
    }

    private static func upperCased(_ letter: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) ? letter - 0x20 : letter
    }

    /// Whether the device was received by a discovery that still runs.
    package var isSighted: Bool { properties.has(Device1.rssi) }

    /// Signal strength in dBm; BlueZ's 127 stands for unknown.
    package var rssi: Int? { properties[Device1.rssi.name].flatMap(Self.rssi) }

    static func rssi(_ value: DBusValue) -> Int? { Device1.rssi(value).flatMap(rssi) }

    static func rssi(_ strength: Int16) -> Int? { strength == 127 ? nil : Int(strength) }

    /// Whether there are keys; `Bonded` is there since 5.65, and `Paired` said the same of LE devices before.
    package var isBonded: Bool { properties[properties.has(Device1.bonded) ? Device1.bonded : Device1.paired] ?? false }
    /// Whether there are keys, even if for this link only.
    var isPaired: Bool { properties[Device1.paired] ?? isBonded }

    /// Whether the device is known to have no BR/EDR, by its address or by its advertising flags (Core Specification
    /// Supplement, Part A, 1.3).
    var isLowEnergyOnly: Bool {
        if properties[Device1.addressType] != "public" { return true }
        return (properties[Device1.advertisingFlags]?.first ?? 0) & 0x04 != 0
    }

    package var isConnected: Bool { properties[Device1.connected] ?? false }
    package var areServicesResolved: Bool { properties[Device1.servicesResolved] ?? false }

    /// Advertised service UUIDs and, once they were resolved, those of the GATT database.
    package var uuids: [BluetoothUUID] { (properties[Device1.uuids] ?? []).compactMap { try? BluetoothUUID(text: $0) } }
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
