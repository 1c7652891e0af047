// SPDX-License-Identifier: MIT

#if Gateway
/// The messages on their way to a broker: some wait, in an ``Outbox``, and some it has not acknowledged.
package struct BrokerQueue: Sendable {
    /// How many messages may be sent without an answer.
    private static let unansweredLimit = 20
    /// How many messages may be on their way or next, so that none of them gives way to a newer one of its topic.
    private static let orderlyLimit = 256

    private var box: Outbox
    /// The messages that were sent and those that are to be sent next, in their order, with the numbers by which they
    /// are acknowledged: nil while one is being sent and before.
    private var orderly: [(number: Int32?, waiting: WaitingMessage)] = []
    /// How many of them were sent, and not acknowledged.
    private var unansweredCount = 0
    private let orderlyLimit: Int
    private var isOpen = false
    /// The newest message at the last call of ``mark()``.
    private var marked: UInt64 = 0
    private let endsWithConnection: Bool
    /// Whether messages of the last connection may still come, which are not taken.
    private var isHeld: Bool
    /// How many messages of an earlier run were not taken, as their time was over or their topics have changed.
    package private(set) var expiredCount = 0
    /// How many messages, of a group or of events, were of a connection that was lost before the broker had them, and
    /// how many events there were without a connection or for too long.
    package private(set) var outdatedCount = 0

    /// - Parameters:
    ///   - capacity: For how many topics a message may wait.
    ///   - endsWithConnection: Whether the messages of a connection end with it; see ``BrokerSettings``.
    package init(capacity: Int, endsWithConnection: Bool) {
        (self.endsWithConnection, isHeld) = (endsWithConnection, endsWithConnection)
        // Within a group urgent messages are not to wait behind many.
        let limit = endsWithConnection ? 0 : min(capacity, Self.orderlyLimit)
        orderlyLimit = max(limit, Self.unansweredLimit)
        box = Outbox(capacity: capacity)
    }

    /// How many messages wait, and were sent without an answer.
    package var count: Int { box.count + orderly.count }

    /// How many messages ``take()`` would return now.
    var nextCount: Int {
        min(count, Self.unansweredLimit) - unansweredCount
    }

    /// How many messages gave way to newer ones of their topics.
    package var replacedCount: Int { box.replacedCount }

    /// How many messages gave way because there was no room.
    package var droppedCount: Int { box.droppedCount }

    /// The newest message of each topic, behind a removal of the description where there was one, in their order, with
    /// the number of the oldest one of its topic; no events.
    package var messages: [WaitingMessage] {
        let waiting = orderly.map(\.waiting) + box.messages.sorted { $0.number < $1.number }
        let all = waiting.filter { !$0.message.isMomentary }
        let oldest = Dictionary(all.map { ($0.message.topic, $0.number) }, uniquingKeysWith: min)
        var (topics, withdrawn): (Set<String>, Set<String>) = ([], [])
        let newest = all.reversed().filter { waiting in
            let (topic, isWithdrawal) = (waiting.message.topic, waiting.message.isWithdrawal)
            let isNewest = topics.insert(topic).inserted
            // A removal goes before the description that follows it.
            return isWithdrawal && withdrawn.insert(topic).inserted || isNewest
        }
        .reversed()
        return newest.map { waiting in
            var waiting = waiting
            waiting.number = oldest[waiting.message.topic] ?? waiting.number
            return waiting
        }
    }

    /// The number of the newest message at the last call.
    package mutating func mark() -> UInt64 {
        defer { marked = box.newestNumber }
        return marked
    }

    /// Adds a message, unless it may be of the last connection.
    ///
    /// - Parameter date: The time of now, in seconds since 1970-01-01 UTC.
    /// - Returns: Whether it was added.
    package mutating func add(_ message: BrokerMessage, at date: Int64) -> Bool {
        if isHeld || message.isMomentary && !isOpen {
            outdatedCount += 1
            return false
        }
        if isOpen, box.isEmpty, orderly.count < orderlyLimit {
            orderly.append((nil, box.number(message, at: date)))
        } else {
            box.add(message, at: date)
        }
        return true
    }

    /// Takes messages of an earlier run, with the rest of their time by the clock on the wall.
    ///
    /// - Parameter isValid: Whether a message has topics of this run.
    package mutating func restore(
        _ messages: [WaitingMessage], at date: Int64, where isValid: (BrokerMessage) -> Bool = { _ in true }
    ) {
        for old in messages {
            guard isValid(old.message) else {
                expiredCount += 1
                continue
            }
            var message = old.message
            if let expiry = message.expiry {
                let (end, isTooLate) = max(old.date, 0).addingReportingOverflow(Int64(expiry))
                let left = isTooLate ? 0 : min(end - date, Int64(expiry))
                guard left > 0 else {
                    expiredCount += 1
                    continue
                }
                message.expiry = UInt32(left)
            }
            box.add(message, at: date)
        }
        marked = box.newestNumber
    }

    /// Takes the end of the last connection: from now on messages are added in the knowledge of it.
    package mutating func beginConnection() { isHeld = false }

    /// Takes a connection: from now on a message gives way to a newer one of its topic only where the broker is slow to
    /// answer.
    package mutating func open() { isOpen = true }

    /// Takes the next message to send, if one more may be unanswered. An event that has waited for longer than its
    /// expiry is counted as outdated.
    ///
    /// - Parameter date: The time of now, in seconds since 1970-01-01 UTC.
    package mutating func take(at date: Int64 = 0) -> BrokerMessage? {
        guard unansweredCount < Self.unansweredLimit else { return nil }
        while true {
            if unansweredCount == orderly.count {
                guard let next = box.next() else { return nil }
                orderly.append((nil, next))
            }
            let next = orderly[unansweredCount].waiting
            if !next.isOverdue(at: date) {
                unansweredCount += 1
                return next.message
            }
            orderly.remove(at: unansweredCount)
            outdatedCount += 1
        }
    }

    /// Takes the number of the message that was sent last; nil where it was refused.
    package mutating func sent(_ number: Int32?) {
        let last = unansweredCount - 1
        guard last >= 0, orderly[last].number == nil else { return }
        if let number {
            orderly[last].number = number
        } else {
            orderly.remove(at: last)
            unansweredCount = last
        }
    }

    /// Takes the answer to the message of a number.
    ///
    /// - Returns: Whether there is such a message.
    package mutating func acknowledge(_ number: Int32) -> Bool {
        guard let place = orderly.firstIndex(where: { $0.number == number }) else { return false }
        orderly.remove(at: place)
        unansweredCount -= 1
        return true
    }

    /// Takes unanswered messages back for the next connection, or ends all that waits with this one. An event ends with
    /// it: the broker may have it, and one that comes late would be another one.
    package mutating func endConnection() {
        let all = orderly.map(\.waiting)
        let messages = all.filter { !$0.message.isMomentary }
        outdatedCount += all.count - messages.count + box.removeMomentary()
        (orderly, unansweredCount, isOpen) = ([], 0, false)
        if endsWithConnection {
            outdatedCount += messages.count + box.removeAll()
            isHeld = true
        } else {
            box.putBack(messages)
        }
    }
}
#endif
