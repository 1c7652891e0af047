// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A way on which values written without a response go out to one characteristic at once, from any thread and without the queue
/// of requests: the socket of BlueZ's `AcquireWrite`.
///
/// It keeps their order with what is queued: while it is held it sends nothing, and what it does not send goes through the queue.
public protocol WriteChannel: AnyObject, Sendable {
    /// Sends a value, unless the channel is held or closed or takes no such value, or that would have to wait; the channel is held
    /// then. From any thread.
    ///
    /// - Returns: Whether the value went out.
    func send(_ value: Bytes) -> Bool

    /// Sends nothing from now on: something is queued that is to go first. From any thread.
    func hold()

    /// Sends again. From any thread.
    func release()
}

extension Characteristic {
    /// How many values go out at once in a row before the task lets others run, which may share its thread.
    private static let valuesInRow: UInt64 = 64

    /// The channel of a characteristic, and how often it was used.
    struct Outlet {
        var channel: (any WriteChannel)?
        var uses: UInt64 = 0
    }

    /// Sends a value in the caller's turn, if there is a channel that takes it.
    ///
    /// - Returns: Whether it went out; otherwise it is to be queued.
    func sendAtOnce(_ value: Bytes) async -> Bool {
        let (channel, uses) = outlet.withLock { outlet in
            outlet.uses &+= 1
            return (outlet.channel, outlet.uses)
        }
        // A cancelled task writes nothing.
        guard let channel, !Task.isCancelled else { return false }
        let start: RadioMeter.Start? = beginMetering()
        guard channel.send(value) else { return false }
        endMetering(since: start)
        if uses % Self.valuesInRow == 0 { await Task.yield() }
        return true
    }

    /// Has what is sent from now on wait for what is queued.
    ///
    /// - Returns: Whether there is a channel.
    func holdChannel() -> Bool {
        guard let channel = outlet.withLock({ $0.channel }) else { return false }
        channel.hold()
        return true
    }

    /// Lets values go out at once over a channel, or over none.
    func use(_ channel: (any WriteChannel)?) {
        outlet.withLock { $0.channel = channel }
        channel?.release()
    }
}
