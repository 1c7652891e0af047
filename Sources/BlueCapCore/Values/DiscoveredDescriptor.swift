// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor as a backend found it.
public struct DiscoveredDescriptor: Sendable, Hashable {
    /// The identifier of the attribute in the peer's database.
    public var id: AttributeID
    /// The UUID, which names the kind of the descriptor.
    public var uuid: BluetoothUUID

    /// Creates a descriptor, as a backend reports it.
    ///
    /// - Parameters:
    ///   - id: The attribute's place in the peer's database, which distinguishes attributes with one UUID.
    ///   - uuid: The UUID, in the form of 128 bits or shortened; the two forms are equal.
    public init(id: AttributeID, uuid: BluetoothUUID) {
        self.id = id
        self.uuid = uuid
    }
}
