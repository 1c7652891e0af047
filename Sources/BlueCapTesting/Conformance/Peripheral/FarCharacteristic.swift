// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A characteristic as a far central discovered it.
public struct FarCharacteristic: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The identifier of the characteristic's value.
    public var id: AttributeID
    /// The operations that the declaration offers.
    public var properties: CharacteristicProperties
    /// The identifiers of the descriptors by UUID.
    public var descriptors: [BluetoothUUID: AttributeID]

    /// Creates a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - id: The identifier of its value.
    ///   - properties: The operations that the declaration offers.
    ///   - descriptors: The identifiers of the descriptors by UUID.
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
