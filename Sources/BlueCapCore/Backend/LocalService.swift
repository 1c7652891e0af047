// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service that this program offers, as a backend needs it. Values stay with the manager, which is asked for them.
public struct LocalService: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// The UUID, which names the kind of the service.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool
    /// The attribute handle at which the service is to begin, where that is free; its characteristics follow as those
    /// of every service do. With 0 the platform chooses the handle and reports it; with nil it chooses, and need not
    /// report.
    public var handle: UInt16?
    /// The services that it includes; they were added before.
    public var includedServices: [AttributeID]
    /// Its characteristics, in their order.
    public var characteristics: [LocalCharacteristic]

    /// Creates a service for a backend to add.
    ///
    /// - Parameters:
    ///   - id: A number that the manager uses for no other attribute.
    ///   - uuid: The UUID under which centrals find it.
    ///   - isPrimary: Whether centrals find it by itself, and not only as an included service.
    ///   - handle: The attribute handle to ask for; 0 for one that the platform chooses and reports, nil for any.
    ///   - includedServices: The numbers of services that the backend has added before.
    ///   - characteristics: The characteristics in the order in which centrals find them.
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

/// A descriptor that this program offers.
public struct LocalDescriptor: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// The UUID, which names the kind of the descriptor.
    public var uuid: BluetoothUUID
    /// The operations that are allowed, and whether they need encryption or authentication.
    public var permissions: AttributePermissions
    /// Its value when the service was added; nil where it has none. A platform that asks for the value of a descriptor
    /// at each access asks the manager and ignores this; one that takes the value with the service (CoreBluetooth)
    /// sends this.
    public var value: Bytes?

    /// Creates a descriptor for a ``LocalCharacteristic``.
    ///
    /// - Parameters:
    ///   - id: A number that the manager uses for no other attribute; accesses to the descriptor carry it.
    ///   - uuid: The UUID under which centrals find it.
    ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
    ///   - value: The value when the service is added; nil where it has none.
    public init(id: AttributeID, uuid: BluetoothUUID, permissions: AttributePermissions, value: Bytes? = nil) {
        self.id = id
        self.uuid = uuid
        self.permissions = permissions
        self.value = value
    }
}
