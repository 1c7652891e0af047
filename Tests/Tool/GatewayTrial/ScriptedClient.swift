// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime

/// The client of a gateway for a broker of a model, with the queue of the real one.
final class ScriptedClient: MessagePublisher {
    enum Event: Sendable {
        case connected
        case lost
        case received(BrokerMessage)
    }

    /// Where the messages are that gateways made.
    struct Counts: Sendable {
        var made = 0
        var published = 0
        var replaced = 0
        var dropped = 0
        var outdated = 0
        var waiting = 0
        var connections = 0

        var isComplete: Bool { made == published + replaced + dropped + outdated + waiting }

        static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                made: left.made + right.made, published: left.published + right.published,
                replaced: left.replaced + right.replaced, dropped: left.dropped + right.dropped,
                outdated: left.outdated + right.outdated, waiting: left.waiting + right.waiting,
                connections: left.connections + right.connections)
        }
    }

    private struct State {
        var queue: BrokerQueue
        var counts = Counts()
        /// The messages that were sent, and that the broker has not acknowledged.
        var sent: [(number: Int32, message: BrokerMessage)] = []
        var lastNumber: Int32 = 0
        var isConnected = false
        var isSending = false
        var isClosed = false
        var attempts = 0
        /// How many packets more the connection lasts; nil for no limit.
        var packetsLeft: Int?
    }

    let events = Multicaster<Event>(replay: .none)
    /// What the broker publishes at the end of the connection.
    let will: BrokerMessage
    private let name: String
    private let isOfGroup: Bool
    private let broker: ScriptedBroker
    private let filters: [(head: String, tail: String?)]
    private let clock: BlueCapClock
    private let state: Locked<State>

    /// - Parameters:
    ///   - plan: The subscriptions of the gateway, and its will.
    ///   - capacity: How many topics a message may wait for.
    init(_ broker: ScriptedBroker, _ plan: GatewayPlan, capacity: Int, clock: BlueCapClock) {
        (self.broker, self.clock) = (broker, clock)
        (name, isOfGroup, will) = (plan.name, plan.group != nil, plan.status(isOnline: false))
        filters = plan.filters.map { filter in
            guard let plus = filter.firstIndex(of: "+") else { return (filter, nil) }
            return (String(filter[..<plus]), String(filter[filter.index(after: plus)...]))
        }
        state = Locked(State(queue: BrokerQueue(capacity: capacity, endsWithConnection: plan.group != nil)))
    }

    func publish(_ message: BrokerMessage) {
        state.withLock { state in
            state.counts.made += 1
            _ = state.queue.add(message, at: 0)
        }
        send()
    }

    func beginConnection() { state.withLock { $0.queue.beginConnection() } }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            (counts.replaced, counts.dropped) = (state.queue.replacedCount, state.queue.droppedCount)
            (counts.outdated, counts.waiting) = (state.queue.outdatedCount, state.queue.count)
            return counts
        }
    }

    // MARK: The connection

    /// Tries to connect, and again until that succeeds.
    func connect() {
        let mode = broker.mode
        let (isClosed, delay) = state.withLock { state in
            state.attempts += 1
            let delay = Duration.milliseconds(250) * (1 << min(state.attempts, 4))
            return (state.isClosed, mode == .refusing ? .seconds(30) : delay)
        }
        if isClosed { return }
        if mode == .away || mode == .refusing {
            events.push(.lost)
            return later(delay) { $0.connect() }
        }
        let packets = mode == .cutting ? broker.number(below: 40) : nil
        state.withLock { state in
            (state.isConnected, state.attempts, state.packetsLeft) = (true, 0, packets)
            state.counts.connections += 1
            state.queue.open()
        }
        let retained = broker.begin(self)
        events.push(.connected)
        for var message in retained where isWanted(message.topic) {
            message.isRetained = true
            events.push(.received(message))
        }
        send()
    }

    /// Ends the connection, if there is one, and connects again.
    func cut() { if end() { later(.milliseconds(250)) { $0.connect() } } }

    /// Ends the connection for good, as where the process of the gateway is killed.
    func close() {
        state.withLock { $0.isClosed = true }
        _ = end()
        events.finish()
    }

    private func end() -> Bool {
        let wasConnected = state.withLock { state in
            guard state.isConnected else { return false }
            (state.isConnected, state.sent) = (false, [])
            state.queue.endConnection()
            return true
        }
        guard wasConnected else { return false }
        events.push(.lost)
        broker.end(self)
        return true
    }

    // MARK: Messages

    private func send() {
        let isDue = state.withLock { state in
            guard state.isConnected, !state.isSending, state.queue.count > 0 else { return false }
            state.isSending = true
            return true
        }
        if isDue { later(broker.latency) { $0.work() } }
    }

    /// Sends messages, which the broker takes and acknowledges, unless the connection ends before.
    private func work() {
        let isLost = broker.number(below: 2) == 0
        let (taken, isCut) = state.withLock { state -> ([BrokerMessage], Bool) in
            state.isSending = false
            guard state.isConnected else { return ([], false) }
            while let message = state.queue.take() {
                state.lastNumber = state.lastNumber == .max ? 1 : state.lastNumber + 1
                state.queue.sent(state.lastNumber)
                state.sent.append((state.lastNumber, message))
            }
            let count = min(state.packetsLeft ?? .max, state.sent.count)
            state.packetsLeft = state.packetsLeft.map { $0 - count }
            let isCut = state.packetsLeft == 0
            let taken = state.sent.prefix(count)
            // The last acknowledgement may be lost.
            for message in isCut && isLost ? taken.dropLast() : taken where state.queue.acknowledge(message.number) {
                state.counts.published += 1
            }
            state.sent.removeFirst(count)
            return (taken.map(\.message), isCut)
        }
        for message in taken {
            if isOfGroup { broker.watch.see(message, from: name) }
            broker.take(message)
        }
        if isCut { cut() } else { send() }
    }

    /// Takes a message of the broker.
    func receive(_ message: BrokerMessage) {
        guard state.withLock({ $0.isConnected }), isWanted(message.topic) else { return }
        events.push(.received(message))
    }

    private func isWanted(_ topic: String) -> Bool {
        filters.contains { head, tail in
            guard let tail else { return topic == head }
            let isLong = topic.utf8.count > head.utf8.count + tail.utf8.count
            return isLong && topic.hasPrefix(head) && topic.hasSuffix(tail)
        }
    }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (ScriptedClient) -> Void) {
        _ = clock.schedule(after: delay) { [weak self] in if let self { body(self) } }
    }
}
