// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor that this program offers.
public struct LocalDescriptor: Sendable, Hashable {
    /// Its number, given out by the manager and never used for another.
    public var id: AttributeID
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Who may read and write it.
    public var permissions: AttributePermissions
    /// Its value when the service was added; nil where it has none. A platform that asks for the value of a descriptor at each
    /// access asks the manager and ignores this; one that takes the value with the service (CoreBluetooth) sends this.
    public var value: Bytes?

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - id: Its number.
    ///   - uuid: Its UUID.
    ///   - permissions: Who may read and write it.
    ///   - value: Its value when the service is added.
    public init(id: AttributeID, uuid: BluetoothUUID, permissions: AttributePermissions, value: Bytes? = nil) {
        self.id = id
        self.uuid = uuid
        self.permissions = permissions
        self.value = value
    }
}
