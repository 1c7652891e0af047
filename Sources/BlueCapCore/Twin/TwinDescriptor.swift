// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor of a twin.
public struct TwinDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The handle of the descriptor; nil where it is not known.
    public var handle: UInt16?
    /// The value of the descriptor; nil where it was not read.
    public var value: Bytes?

    /// Creates a descriptor of a twin.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the descriptor.
    ///   - handle: The handle of the descriptor.
    ///   - value: The value of the descriptor.
    public init(_ uuid: BluetoothUUID, handle: UInt16? = nil, value: Bytes? = nil) {
        self.uuid = uuid
        self.handle = handle
        self.value = value
    }
}
