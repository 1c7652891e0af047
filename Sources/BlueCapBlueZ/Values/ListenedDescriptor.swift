// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapSerDe

/// A descriptor of a device that is listened to.
public struct ListenedDescriptor: Sendable, Hashable {
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Its handle.
    public var handle: UInt16
    /// The value that some program read last.
    public var value: Bytes?
}
#endif
