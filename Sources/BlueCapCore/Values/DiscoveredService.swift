// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service as a backend found it.
public struct DiscoveredService: Sendable, Hashable {
    /// The identifier of the attribute in the peer's database.
    public var id: AttributeID
    /// The UUID, which names the kind of the service.
    public var uuid: BluetoothUUID
    /// A Boolean value that is true for a primary service.
    public var isPrimary: Bool

    /// Creates a service, as a backend reports it.
    ///
    /// - Parameters:
    ///   - id: The attribute's place in the peer's database, which distinguishes attributes with one UUID.
    ///   - uuid: The UUID, in the form of 128 bits or shortened; the two forms are equal.
    ///   - isPrimary: A Boolean value that is true for a primary service, and false for a service that is only
    ///     included.
    public init(id: AttributeID, uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
    }
}
