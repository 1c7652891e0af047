// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A descriptor of a twin.
public struct TwinDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// Its handle; nil where it is not known.
    public var handle: UInt16?
    /// Its value; nil where it was not read.
    public var value: Bytes?

    /// A descriptor.
    ///
    /// - Parameters:
    ///   - uuid: Its UUID.
    ///   - handle: Its handle.
    ///   - value: Its value.
    public init(_ uuid: BluetoothUUID, handle: UInt16? = nil, value: Bytes? = nil) {
        self.uuid = uuid
        self.handle = handle
        self.value = value
    }
}
