// SPDX-License-Identifier: MIT

/// The messages on their way to a broker: those that wait, in an ``Outbox``, and those that it has not acknowledged.
package struct BrokerQueue: Sendable {
    /// How many messages may be sent without an answer.
    private static let unansweredLimit = 20

    private var box: Outbox
    /// The messages that were sent, in their order, with the numbers by which they are acknowledged: nil while one is
    /// being sent.
    private var unanswered: [(number: Int32?, waiting: WaitingMessage)] = []
    /// The newest message at the last call of ``mark()``.
    private var marked: UInt64 = 0
    private let endsWithConnection: Bool
    /// Whether messages of the last connection may still come, which are not taken.
    private var isHeld: Bool
    /// How many messages of an earlier run were not taken, as their time was over or their topics have changed.
    package private(set) var expiredCount = 0
    /// How many messages were of a connection that was lost before the broker had them.
    package private(set) var outdatedCount = 0

    /// - Parameters:
    ///   - capacity: For how many topics a message may wait.
    ///   - endsWithConnection: Whether the messages of a connection end with it; see ``BrokerSettings``.
    package init(capacity: Int, endsWithConnection: Bool) {
        (self.endsWithConnection, isHeld) = (endsWithConnection, endsWithConnection)
        box = Outbox(capacity: capacity)
    }

    /// How many messages wait, and were sent without an answer.
    package var count: Int { box.count + unanswered.count }

    /// How many messages gave way to newer ones of their topics.
    package var replacedCount: Int { box.replacedCount }

    /// How many messages gave way because there was no room.
    package var droppedCount: Int { box.droppedCount }

    /// All messages, in their order.
    package var messages: [WaitingMessage] {
        unanswered.map(\.waiting) + box.messages.sorted { $0.number < $1.number }
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
        if isHeld {
            outdatedCount += 1
            return false
        }
        box.add(message, at: date)
        return true
    }

    /// Takes messages of an earlier run, with what is left of their time by the clock on the wall.
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

    /// Takes that the loss of the last connection is known to those who add messages.
    package mutating func beginConnection() { isHeld = false }

    /// Takes the next message to send, if one more may be unanswered.
    package mutating func take() -> BrokerMessage? {
        guard unanswered.count < Self.unansweredLimit, let next = box.next() else { return nil }
        unanswered.append((nil, next))
        return next.message
    }

    /// Takes the number of the message that was sent last; nil where it was refused.
    package mutating func sent(_ number: Int32?) {
        guard let last = unanswered.indices.last, unanswered[last].number == nil else { return }
        if let number { unanswered[last].number = number } else { unanswered.removeLast() }
    }

    /// Takes the answer to the message of a number.
    ///
    /// - Returns: Whether there is such a message.
    package mutating func acknowledge(_ number: Int32) -> Bool {
        guard let place = unanswered.firstIndex(where: { $0.number == number }) else { return false }
        unanswered.remove(at: place)
        return true
    }

    /// Takes unanswered messages back for the next connection, or ends all that waits with this one.
    package mutating func endConnection() {
        let messages = unanswered.map(\.waiting)
        unanswered = []
        if endsWithConnection {
            outdatedCount += messages.count + box.removeAll()
            isHeld = true
        } else {
            box.putBack(messages)
        }
    }
}
