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
