// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
import BlueCapRuntime

/// Facts that are known also while the thread of the broker waits for the address of a host.
extension Broker {
    /// Whether there is a connection now. It is known also while the thread waits for the address of a host.
    package nonisolated var isOpen: Bool { shown.withLock { $0.isOpen } }

    /// How many messages wait for the connection or for an answer. Known as ``isOpen`` is.
    package nonisolated var waitingCount: Int { queue.withLock { $0.count } }

    /// The newest message of each topic that waits for the connection or for an answer, in their order. Known as
    /// ``isOpen`` is.
    package nonisolated var waitingMessages: [WaitingMessage] { queue.withLock { $0 }.messages }

    /// The messages that waited at the last call already, or took the place of such a message. While there is a
    /// connection there are hardly any.
    package nonisolated func waitingSinceLastCall() -> [WaitingMessage] {
        let mark = queue.withLock { $0.mark() }
        return waitingMessages.filter { $0.number <= mark }
    }

    /// The numbers of now. Known as ``isOpen`` is.
    package nonisolated var statistics: BrokerCounts {
        var counts = shown.withLock { $0.counts }
        queue.withLock {
            (counts.replaced, counts.dropped) = ($0.replacedCount, $0.droppedCount)
            (counts.outdated, counts.expired) = ($0.outdatedCount, $0.expiredCount)
        }
        counts.missedEvents = events.droppedCount
        return counts
    }
}
#endif
