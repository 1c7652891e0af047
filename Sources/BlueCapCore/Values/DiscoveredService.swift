// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A service as a backend found it.
public struct DiscoveredService: Sendable, Hashable {
    /// Its name in the peer's database.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Whether it is a primary service.
    public var isPrimary: Bool

    /// A service.
    public init(id: AttributeID, uuid: BluetoothUUID, isPrimary: Bool = true) {
        self.id = id
        self.uuid = uuid
        self.isPrimary = isPrimary
    }
}
