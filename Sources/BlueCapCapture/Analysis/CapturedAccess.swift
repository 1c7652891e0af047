// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A value that passed over a link: read, written or notified.
public struct CapturedAccess: Sendable, Hashable {
    /// The way in which a value passed.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The device answered a read. A value that takes several packets is reported with each of them, as far as it
        /// has come.
        case read
        /// A central wrote, and the device confirmed the write.
        case written
        /// A central wrote without a response.
        case writtenWithoutResponse
        /// The device sent a notification.
        case notified
        /// The device sent an indication.
        case indicated
    }

    /// The time at which the packet that completes the access was captured; nil where the file does not say.
    public var time: Timestamp?
    /// The device that has the attribute.
    public var device: PeerIdentifier
    /// The handle of the attribute.
    public var handle: UInt16
    /// The type of the attribute, where the capture shows its discovery.
    public var uuid: BluetoothUUID?
    /// The way in which the value passed.
    public var kind: Kind
    /// The value in bytes.
    public var value: Bytes
}
