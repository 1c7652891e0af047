// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapSerDe

/// A characteristic of a device that is listened to.
public struct ListenedCharacteristic: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The handle of its declaration; that of its value is one more.
    public var handle: UInt16
    /// The operations that the characteristic's declaration offers.
    public var properties: CharacteristicProperties
    /// The value that some program read last, or received last by notification.
    public var value: Bytes?
    /// The descriptors, with their handles and the values that some program read.
    public var descriptors: [ListenedDescriptor]
}
#endif
