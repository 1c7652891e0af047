// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapSerDe

/// A descriptor of a device that is listened to.
public struct ListenedDescriptor: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The handle of the attribute.
    public var handle: UInt16
    /// The value that some program read last.
    public var value: Bytes?
}
#endif
