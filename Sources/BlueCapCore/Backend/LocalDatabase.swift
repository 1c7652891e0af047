// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service that this program offers, as a backend needs it. Values stay with the manager, which is asked for them.
public struct LocalService: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The attribute handle at which it is to stand, where that is free; its characteristics follow as those of every service
    /// do. 0 leaves the place to the platform, which tells it; nil does, too, and nobody wants to know.
    public var handle: UInt16?
    /// The services that it includes; they were added before.
    public var includedServices: [AttributeID]
    /// Its characteristics, in their order.
    public var characteristics: [LocalCharacteristic]

    /// A service.
    public init(
        id: AttributeID, uuid: BluetoothUUID, isPrimary: Bool = true, handle: UInt16? = nil,
        includedServices: [AttributeID] = [], characteristics: [LocalCharacteristic] = []
    ) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handle = handle
        self.includedServices = includedServices
        self.characteristics = characteristics
    }
}

/// A characteristic that this program offers.
public struct LocalCharacteristic: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// What may be done with it.
    public var properties: CharacteristicProperties
    /// Who may read and write it.
    public var permissions: AttributePermissions
    /// Its descriptors, without those that the platform adds (CCCD, Extended Properties).
    public var descriptors: [LocalDescriptor]
    /// Whether writes without response may come over a channel of their own (BlueZ's AcquireWrite), where they cannot be
    /// refused.
    public var usesWriteSocket: Bool

    /// A characteristic.
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

/// A descriptor that this program offers.
public struct LocalDescriptor: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Who may read and write it.
    public var permissions: AttributePermissions

    /// A descriptor.
    public init(id: AttributeID, uuid: BluetoothUUID, permissions: AttributePermissions) {
        self.id = id
        self.uuid = uuid
        self.permissions = permissions
    }
}
