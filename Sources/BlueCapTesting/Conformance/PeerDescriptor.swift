// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// One descriptor of a peer's database, readable and writable.
public struct PeerDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// Its value, and after a write the value written.
    public var value: Bytes

    /// Creates a descriptor.
    public init(_ uuid: BluetoothUUID, value: Bytes = []) {
        self.uuid = uuid
        self.value = value
    }
}
