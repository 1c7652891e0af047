// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A characteristic as a far central found it.
public struct FarCharacteristic: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// Names its value.
    public var id: AttributeID
    /// What may be done with it.
    public var properties: CharacteristicProperties
    /// Names its descriptors, by UUID.
    public var descriptors: [BluetoothUUID: AttributeID]

    /// Creates a characteristic.
    public init(
        uuid: BluetoothUUID, id: AttributeID, properties: CharacteristicProperties,
        descriptors: [BluetoothUUID: AttributeID]
    ) {
        self.uuid = uuid
        self.id = id
        self.properties = properties
        self.descriptors = descriptors
    }
}
