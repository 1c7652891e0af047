// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

/// The messages that wait for a broker: of each topic the newest, and before it the removal of a description where it
/// describes a device again. They are in the order in which their topics came, and urgent ones first. Events are in
/// that order, too, each for itself.
struct Outbox {
    private var order = RingBuffer<String>()
    private var urgentOrder = RingBuffer<String>()
    private var waiting: [String: WaitingMessage] = [:]
    /// The removals of descriptions that go before the message of their topic.
    private var withdrawals: [String: WaitingMessage] = [:]
    private var events = RingBuffer<WaitingMessage>()
    /// The number of the newest message.
    private(set) var newestNumber: UInt64 = 0
    private let capacity: Int
    /// How many messages gave way to a newer one of their topic.
    private(set) var replacedCount = 0
    /// How many messages gave way because there was no room for another one.
    private(set) var droppedCount = 0

    /// - Parameter capacity: How many topics and events there may be; at least 1 is used.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var isEmpty: Bool { count == 0 }

    /// How many messages wait.
    var count: Int { waiting.count + withdrawals.count + events.count }

    /// Adds a message behind the others, or in the place of an older one of its topic that is as urgent. An event is
    /// behind the others at all times.
    ///
    /// A message that is less urgent than the older one belongs behind all that came meanwhile, and a more urgent one
    /// does not wait for it.
    ///
    /// - Parameter date: The time of now, in seconds since 1970-01-01 UTC.
    mutating func add(_ message: BrokerMessage, at date: Int64 = 0) {
        var added = number(message, at: date)
        if message.isMomentary {
            events.append(added)
            return makeRoom()
        }
        let topic = message.topic
        if let older = waiting[topic] {
            if older.message.isWithdrawal, !message.isWithdrawal {
                (withdrawals[topic], waiting[topic]) = (older, added)
                return makeRoom()
            }
            if message.isWithdrawal, withdrawals.removeValue(forKey: topic) != nil { replacedCount += 1 }
            replacedCount += 1
            if older.message.isUrgent == message.isUrgent {
                added.number = older.number
                waiting[topic] = added
                return
            }
            if message.isUrgent { Self.remove(topic, &order) } else { Self.remove(topic, &urgentOrder) }
        }
        waiting[topic] = added
        if message.isUrgent { urgentOrder.append(topic) } else { order.append(topic) }
        makeRoom()
    }

    /// Gives a message that need not wait its place among all.
    mutating func number(_ message: BrokerMessage, at date: Int64) -> WaitingMessage {
        newestNumber += 1
        return WaitingMessage(message: message, number: newestNumber, date: date)
    }

    private static func remove(_ topic: String, _ order: inout RingBuffer<String>) {
        for _ in 0..<order.count { if let next = order.popFirst(), next != topic { order.append(next) } }
    }

    /// Puts messages that were taken before the others, unless there is a newer one of their topic.
    ///
    /// - Parameter messages: In the order in which they were taken.
    mutating func putBack(_ messages: [WaitingMessage]) {
        var topics: [String] = []
        for var message in messages.reversed() {
            message.message.isUrgent = false
            let topic = message.message.topic
            if let newer = waiting[topic] {
                let isBefore = message.message.isWithdrawal && !newer.message.isWithdrawal
                if isBefore, withdrawals[topic] == nil { withdrawals[topic] = message } else { replacedCount += 1 }
            } else {
                waiting[topic] = message
                topics.append(topic)
            }
        }
        var newOrder = RingBuffer<String>()
        while let topic = topics.popLast() ?? order.popFirst() { newOrder.append(topic) }
        order = newOrder
        while count > capacity { makeRoom() }
    }

    /// Drops a message if there is one too many: the oldest event, as a device of whomever may send many, or else the
    /// oldest message, and an urgent one only where there are no others.
    private mutating func makeRoom() {
        guard count > capacity else { return }
        droppedCount += 1
        if case .some = events.popFirst() { return }
        guard let topic = order.popFirst() ?? urgentOrder.popFirst() else { return }
        waiting[topic] = nil
        if withdrawals.removeValue(forKey: topic) != nil { droppedCount += 1 }
    }

    /// Removes the events.
    ///
    /// - Returns: How many there were.
    mutating func removeMomentary() -> Int {
        defer { events = RingBuffer() }
        return events.count
    }

    /// All messages but events, in no order.
    var messages: [WaitingMessage] { Array(withdrawals.values) + Array(waiting.values) }

    /// Removes all messages.
    ///
    /// - Returns: How many there were.
    mutating func removeAll() -> Int {
        defer {
            (order, urgentOrder, events) = (RingBuffer(), RingBuffer(), RingBuffer())
            (waiting, withdrawals) = ([:], [:])
        }
        return count
    }

    /// Takes the message that has waited for longest, as an event or by its topic; an urgent one first.
    mutating func next() -> WaitingMessage? {
        if urgentOrder.isEmpty, let event = events.first {
            let other = order.first.flatMap { (withdrawals[$0] ?? waiting[$0])?.number }
            if other.map({ $0 > event.number }) ?? true { return events.popFirst() }
        }
        if urgentOrder.isEmpty, let topic = order.first, let withdrawal = withdrawals.removeValue(forKey: topic) {
            return withdrawal
        }
        return (urgentOrder.popFirst() ?? order.popFirst()).flatMap { waiting.removeValue(forKey: $0) }
    }
}
#endif
