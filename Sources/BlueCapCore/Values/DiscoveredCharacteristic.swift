// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic as a backend found it.
public struct DiscoveredCharacteristic: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// What may be done with it.
    public var properties: CharacteristicProperties

    /// A characteristic.
    public init(id: AttributeID, uuid: BluetoothUUID, properties: CharacteristicProperties) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
    }
}
