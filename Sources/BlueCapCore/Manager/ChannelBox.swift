// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The part of a channel that its handle and its manager share: the units that were not taken, the counts, the end.
final class ChannelBox: Sendable {
    /// The number of units that a channel's consumer may have waiting.
    static let window = 16

    /// The end of a channel; without an error where a side closed it.
    struct End: Sendable {
        let error: ChannelError?
    }

    private struct Facts {
        var peer: PeerIdentifier
        var statistics = ChannelStatistics()
        var end: End?
        /// The number of units that were taken since the backend was last allowed others.
        var takenCount = 0
    }

    let id: ChannelID
    let units = Mailbox<Bytes, ChannelError>(capacity: .unbounded)
    private let facts: Locked<Facts>

    init(_ channel: OpenedChannel) {
        id = channel.id
        facts = Locked(Facts(peer: channel.peer))
    }

    /// The device at the other end, whose identifier can change while its link stands.
    var peer: PeerIdentifier {
        get { facts.withLock { $0.peer } }
        set { facts.withLock { $0.peer = newValue } }
    }
    var end: End? { facts.withLock { $0.end } }
    var isOpen: Bool { end == nil }
    var statistics: ChannelStatistics { facts.withLock { $0.statistics } }

    /// Ends the channel for its users; false if it has ended before.
    func finish(_ error: ChannelError?) -> Bool {
        let isFirst = facts.withLock { facts in
            if facts.end != nil { return false }
            facts.end = End(error: error)
            return true
        }
        if isFirst { units.finish(error) }
        return isFirst
    }

    /// Keeps a unit for the app; false where the app has closed the channel meanwhile.
    func received(_ unit: Bytes) -> Bool {
        // Counted before the app can have it.
        let addition = facts.withLock { facts in
            let addition = units.add(unit)
            if !addition.isRefused { facts.statistics.count(unit, .received) }
            return addition
        }
        if addition.needsWake { units.wake() }
        return !addition.isRefused
    }

    func sent(_ unit: Bytes) {
        facts.withLock { $0.statistics.count(unit, .sent) }
    }

    /// Counts a unit as taken; returns the number of units that the backend is to be allowed now.
    func unitTaken() -> Int {
        facts.withLock { facts in
            facts.takenCount += 1
            guard facts.takenCount >= Self.window / 2 else { return 0 }
            defer { facts.takenCount = 0 }
            return facts.takenCount
        }
    }
}
