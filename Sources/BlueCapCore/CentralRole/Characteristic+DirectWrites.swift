// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

extension Characteristic {
    /// The number of consecutive values that are sent directly before the task yields to others, which may share its
    /// thread.
    private static let valuesInRow: UInt64 = 64

    /// The channel of a characteristic, and the number of its uses.
    struct DirectWrites {
        var channel: (any WriteChannel)?
        var uses: UInt64 = 0
    }

    /// Sends a value directly in the caller's task, if there is a channel that accepts it.
    ///
    /// - Returns: True if the value was sent; otherwise it has to be queued.
    func sendAtOnce(_ value: Bytes) async -> Bool {
        let (channel, uses) = directWrites.withLock { directWrites in
            directWrites.uses &+= 1
            return (directWrites.channel, directWrites.uses)
        }
        // A cancelled task writes nothing.
        guard let channel, !Task.isCancelled else { return false }
        let start: RadioMeter.Start? = beginMetering()
        guard channel.send(value) else { return false }
        endMetering(since: start)
        if uses % Self.valuesInRow == 0 { await Task.yield() }
        return true
    }

    /// Makes values that are sent from now on wait for the queued values.
    ///
    /// - Returns: True if there is a channel.
    func holdChannel() -> Bool {
        guard let channel = directWrites.withLock({ $0.channel }) else { return false }
        channel.hold()
        return true
    }

    /// Lets values be sent directly over a channel; nil ends direct sending.
    func use(_ channel: (any WriteChannel)?) {
        directWrites.withLock { $0.channel = channel }
        channel?.release()
    }
}

extension Characteristic {
    /// Returns the start time of a write that does not go through the queue.
    @inline(__always)
    fileprivate func beginMetering() -> RadioMeter.Start? {
        #if Metrics
        return peripheral?.manager.map { $0.meter.begin($0.clock) }
        #else
        return nil
        #endif
    }

    /// Records that a write outside the queue was sent.
    @inline(__always)
    fileprivate func endMetering(since start: RadioMeter.Start?) {
        #if Metrics
        guard let start, let manager = peripheral?.manager else { return }
        manager.meter.end(WriteKind.withoutResponseOverSocket.meterLabel, .success, since: start, manager.clock)
        #endif
    }
}
