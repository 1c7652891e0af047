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
