// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The messages that wait for a broker: of each topic the newest, in the order in which their topics came.
struct Outbox {
    private var order = RingBuffer<String>()
    private var waiting: [String: BrokerMessage] = [:]
    private let capacity: Int
    /// How many messages gave way to a newer one of their topic.
    private(set) var replacedCount = 0
    /// How many messages gave way because there was no room for another topic.
    private(set) var droppedCount = 0

    /// - Parameter capacity: How many topics there may be; at least 1 is used.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// How many messages wait.
    var count: Int { waiting.count }

    /// Adds a message behind the others, or in the place of an older one of its topic.
    mutating func add(_ message: BrokerMessage) {
        if waiting.updateValue(message, forKey: message.topic) != nil {
            replacedCount += 1
            return
        }
        order.append(message.topic)
        if waiting.count > capacity, next() != nil { droppedCount += 1 }
    }

    /// Removes all messages.
    ///
    /// - Returns: How many there were.
    mutating func removeAll() -> Int {
        defer { (order, waiting) = (RingBuffer(), [:]) }
        return waiting.count
    }

    /// Takes the message of the topic that has waited for longest.
    mutating func next() -> BrokerMessage? {
        order.popFirst().flatMap { waiting.removeValue(forKey: $0) }
    }
}
