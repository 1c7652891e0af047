// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic as a backend found it.
public struct DiscoveredCharacteristic: Sendable, Hashable {
    /// The identifier of the attribute in the peer's database.
    public var id: AttributeID
    /// The UUID, which names the kind of the characteristic.
    public var uuid: BluetoothUUID
    /// The operations that the characteristic supports.
    public var properties: CharacteristicProperties

    /// Creates a characteristic, as a backend reports it.
    ///
    /// - Parameters:
    ///   - id: The attribute's place in the peer's database, which distinguishes attributes with one UUID.
    ///   - uuid: The UUID, in the form of 128 bits or shortened; the two forms are equal.
    ///   - properties: The operations that the peer reports as supported.
    public init(id: AttributeID, uuid: BluetoothUUID, properties: CharacteristicProperties) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
    }
}
