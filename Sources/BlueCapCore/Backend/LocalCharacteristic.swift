// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic that this program offers.
public struct LocalCharacteristic: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// The UUID, which names the kind of the characteristic.
    public var uuid: BluetoothUUID
    /// What may be done with it.
    public var properties: CharacteristicProperties
    /// The operations that are allowed, and whether they need encryption or authentication.
    public var permissions: AttributePermissions
    /// Its descriptors, without those that the platform adds (CCCD, Extended Properties).
    public var descriptors: [LocalDescriptor]
    /// Whether writes without response may come over a channel of their own (BlueZ's AcquireWrite), where they cannot
    /// be refused.
    public var usesWriteSocket: Bool

    /// Creates a characteristic for a ``LocalService``.
    ///
    /// - Parameters:
    ///   - id: A number that the manager uses for no other attribute; accesses to the characteristic carry it.
    ///   - uuid: The UUID under which centrals find it.
    ///   - properties: The operations that centrals see as possible.
    ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
    ///   - descriptors: The descriptors in the order in which centrals find them, without those that the platform adds.
    ///   - usesWriteSocket: Whether the backend may take writes without response over a channel (BlueZ's AcquireWrite).
    public init(
        id: AttributeID, uuid: BluetoothUUID, properties: CharacteristicProperties, permissions: AttributePermissions,
        descriptors: [LocalDescriptor] = [], usesWriteSocket: Bool = false
    ) {
        self.id = id
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.descriptors = descriptors
        self.usesWriteSocket = usesWriteSocket
    }
}
