// SPDX-License-Identifier: MIT

public import BlueCapSerDe

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
