// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A value that passed over a link: read, written or notified.
public struct CapturedAccess: Sendable, Hashable {
    /// How the value passed.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The device answered a read. A value that takes several packets is reported with each of them, as far as it
        /// has come.
        case read
        /// A central wrote, and the device accepted.
        case written
        /// A central wrote without being answered.
        case writtenWithoutResponse
        /// The device notified.
        case notified
        /// The device indicated.
        case indicated
    }

    /// When the packet was captured that completes the access; nil where the file does not say.
    public var time: Timestamp?
    /// The device that has the attribute.
    public var device: PeerIdentifier
    /// The attribute's handle.
    public var handle: UInt16
    /// The attribute's type, where the capture shows its discovery.
    public var uuid: BluetoothUUID?
    /// How the value passed.
    public var kind: Kind
    /// The value in bytes.
    public var value: Bytes
}
