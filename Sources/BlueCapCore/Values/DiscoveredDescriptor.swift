// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor as a backend found it.
public struct DiscoveredDescriptor: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID

    /// A descriptor.
    public init(id: AttributeID, uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}
