// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A rule of a twin: the values that it has and sends after a write.
public struct TwinAnswer: Sendable, Hashable {
    /// The bytes whose write leads to the replies, all of them; nil for each write that no other rule names.
    public var write: Bytes?
    /// The values that follow, in their order.
    public var replies: [TwinReply]

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - write: The bytes whose write leads to the replies; nil for each write that no other rule names.
    ///   - replies: The values that follow, in their order.
    public init(write: Bytes?, replies: [TwinReply]) {
        self.write = write
        self.replies = replies
    }
}

/// A value that a characteristic of a twin gets after a write: it is kept for reads, and sent to all who are
/// subscribed.
public struct TwinReply: Sendable, Hashable {
    /// The characteristic that gets the value: one of the same service, or else the first of the twin; nil for the one
    /// that was written.
    public var characteristic: BluetoothUUID?
    /// The service of that characteristic, where its UUID alone would mean another one.
    public var service: BluetoothUUID?
    /// The time from the write to the value; from the end of the answer before for a write that waited for that.
    public var after: Duration
    /// The value in bytes.
    public var value: Bytes

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic that gets the value; nil for the one that was written.
    ///   - service: The service of that characteristic, where its UUID alone would mean another one.
    ///   - after: The time from the write to the value.
    ///   - value: The value in bytes.
    public init(
        _ characteristic: BluetoothUUID? = nil, in service: BluetoothUUID? = nil, after: Duration = .zero, value: Bytes
    ) {
        self.characteristic = characteristic
        self.service = service
        self.after = after
        self.value = value
    }
}
