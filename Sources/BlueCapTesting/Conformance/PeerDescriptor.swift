// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor of a peer's database, which can be read and written.
public struct PeerDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The value, which a write replaces.
    public var value: Bytes

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the descriptor.
    ///   - value: The value, which a write replaces.
    public init(_ uuid: BluetoothUUID, value: Bytes = []) {
        self.uuid = uuid
        self.value = value
    }
}
