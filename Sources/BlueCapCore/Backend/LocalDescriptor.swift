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

    /// A descriptor.
    public init(id: AttributeID, uuid: BluetoothUUID, permissions: AttributePermissions) {
        self.id = id
        self.uuid = uuid
        self.permissions = permissions
    }
}
