// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

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
