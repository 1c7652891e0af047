// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A value that a characteristic of a twin sent.
public struct TwinNotification: Sendable, Hashable {
    /// The time from the subscription to the value.
    public var after: Duration
    /// The value in bytes.
    public var value: Bytes

    /// Creates a record of a value that was sent.
    ///
    /// - Parameters:
    ///   - after: The time from the subscription to the value.
    ///   - value: The value in bytes.
    public init(after: Duration, value: Bytes) {
        self.after = after
        self.value = value
    }
}
