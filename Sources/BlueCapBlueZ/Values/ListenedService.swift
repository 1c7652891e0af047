// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapSerDe

/// A service of a device that is listened to.
public struct ListenedService: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The handle of its declaration.
    public var handle: UInt16
    /// A Boolean value that is true if it is a primary service.
    public var isPrimary: Bool
    /// The handles of the services that it includes.
    public var includes: [UInt16]
    /// The characteristics in the order of their handles.
    public var characteristics: [ListenedCharacteristic]
}
#endif
