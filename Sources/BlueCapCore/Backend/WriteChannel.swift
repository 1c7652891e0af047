// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A way on which values written without a response go out to one characteristic at once, from any thread and without
/// the queue of requests: the socket of BlueZ's `AcquireWrite`.
///
/// It keeps their order with what is queued: while it is held it sends nothing, and what it does not send goes through
/// the queue.
public protocol WriteChannel: AnyObject, Sendable {
    /// Sends a value, unless the channel is held or closed or takes no such value, or that would have to wait; the
    /// channel is held then. From any thread.
    ///
    /// - Returns: Whether the value went out.
    func send(_ value: Bytes) -> Bool

    /// Sends nothing from now on: something is queued that is to go first. From any thread.
    func hold()

    /// Sends again. From any thread.
    func release()
}
