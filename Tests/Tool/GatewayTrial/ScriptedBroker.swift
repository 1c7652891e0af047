// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// A broker of a model, with the client of the gateway, on the clock of the radio.
///
/// It keeps retained messages until they expire, and delivers the messages of subscribed topics to the
/// gateway, its own too. The client keeps the newest message of each topic, and sends messages again that were not
/// acknowledged.
final class ScriptedBroker: MessagePublisher {
    enum Event: Sendable {
        case connected
        case lost
        case received(BrokerMessage)
    }

    /// How the broker treats a client that connects.
    enum Mode: Sendable {
        case open
        case away
        case refusing
        /// Ends each connection after a few packets.
        case cutting
    }

    /// Where the messages are that the gateway made.
    struct Counts: Sendable {
        var made = 0
        var published = 0
        var replaced = 0
        var dropped = 0
        var waiting = 0
        var connections = 0

        var isComplete: Bool { made == published + replaced + dropped + waiting }
    }

    private struct State {
        var random: SeededGenerator
        var counts = Counts()
        var order: [String] = []
        var waiting: [String: BrokerMessage] = [:]
        var unanswered: [BrokerMessage] = []
        var retained: [String: (message: BrokerMessage, end: Duration?)] = [:]
        var mode = Mode.open
        var latency = Duration.milliseconds(10)
        var isConnected = false
        var isSending = false
        var attempts = 0
        /// How many packets more the connection lasts; nil for no limit.
        var packetsLeft: Int?
    }

    let events = Multicaster<Event>(replay: .none)
    private let capacity: Int
    private let filters: [String]
    private let clock: BlueCapClock
    private let state: Locked<State>

    /// - Parameters:
    ///   - capacity: How many topics a message may wait for.
    ///   - filters: The subscriptions of the gateway.
    init(seed: UInt64, capacity: Int, filters: [String], clock: BlueCapClock) {
        (self.capacity, self.filters, self.clock) = (capacity, filters, clock)
        state = Locked(State(random: SeededGenerator(seed: seed, name: "broker")))
    }

    // MARK: The client

    func publish(_ message: BrokerMessage) {
        state.withLock { state in
            state.counts.made += 1
            if state.waiting.updateValue(message, forKey: message.topic) != nil {
                state.counts.replaced += 1
            } else {
                state.order.append(message.topic)
                if state.order.count > capacity {
                    state.waiting[state.order.removeFirst()] = nil
                    state.counts.dropped += 1
                }
            }
        }
        send()
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.waiting.count + state.unanswered.count
            return counts
        }
    }

    /// Tries to connect, and again until that succeeds.
    func connect() {
        let (mode, delay) = state.withLock { state in
            state.attempts += 1
            if state.mode == .refusing { return (state.mode, Duration.seconds(30)) }
            return (state.mode, Duration.milliseconds(250) * (1 << min(state.attempts, 4)))
        }
        if mode == .away || mode == .refusing {
            events.push(.lost)
            return later(delay) { $0.connect() }
        }
        let retained = state.withLock { state in
            (state.isConnected, state.attempts) = (true, 0)
            state.counts.connections += 1
            state.packetsLeft = mode == .cutting ? Int(state.random.next() % 40) : nil
            state.retained = state.retained.filter { $0.value.end.map { $0 > clock.elapsed } ?? true }
            return state.retained.values.map(\.message).sorted { $0.topic < $1.topic }
        }
        events.push(.connected)
        for message in retained where isWanted(message.topic) { events.push(.received(message)) }
        send()
    }

    private func send() {
        let delay = state.withLock { state -> Duration? in
            guard state.isConnected, !state.isSending, !state.waiting.isEmpty || !state.unanswered.isEmpty else {
                return nil
            }
            state.isSending = true
            return state.latency
        }
        if let delay { later(delay) { $0.work() } }
    }

    /// Takes the messages that the client has sent, and acknowledges them, unless the connection ends before.
    private func work() {
        let (taken, isCut) = state.withLock { state -> ([BrokerMessage], Bool) in
            state.isSending = false
            guard state.isConnected else { return ([], false) }
            while state.unanswered.count < 20, !state.order.isEmpty {
                state.waiting.removeValue(forKey: state.order.removeFirst()).map { state.unanswered.append($0) }
            }
            let count = min(state.packetsLeft ?? .max, state.unanswered.count)
            state.packetsLeft = state.packetsLeft.map { $0 - count }
            let isCut = state.packetsLeft == 0
            // The last acknowledgement may be lost.
            let acknowledged = isCut && count > 0 && state.random.next() % 2 == 0 ? count - 1 : count
            let taken = Array(state.unanswered.prefix(count))
            state.unanswered.removeFirst(acknowledged)
            state.counts.published += acknowledged
            return (taken, isCut)
        }
        for message in taken { take(message) }
        if isCut { cut() } else { send() }
    }

    private func later(_ delay: Duration, _ body: @escaping @Sendable (ScriptedBroker) -> Void) {
        _ = clock.schedule(after: delay) { [weak self] in if let self { body(self) } }
    }

    // MARK: The broker

    /// Ends the connection, if there is one.
    func cut() {
        let wasConnected = state.withLock { state in
            defer { state.isConnected = false }
            return state.isConnected
        }
        guard wasConnected else { return }
        events.push(.lost)
        later(.milliseconds(250)) { $0.connect() }
    }

    func change(to mode: Mode, latency: Duration = .milliseconds(10)) {
        state.withLock { ($0.mode, $0.latency) = (mode, latency) }
        if mode != .open { cut() }
    }

    func forgetAll() { state.withLock { $0.retained = [:] } }

    /// Takes a message of any client.
    func take(_ message: BrokerMessage) {
        let isConnected = state.withLock { state in
            if message.isRetained {
                let end = message.expiry.map { clock.elapsed + .seconds(Int($0)) }
                state.retained[message.topic] = message.payload.isEmpty ? nil : (message, end)
            }
            return state.isConnected
        }
        guard isConnected, isWanted(message.topic) else { return }
        var delivered = message
        delivered.isRetained = false
        events.push(.received(delivered))
    }

    /// The message that is kept for a topic; nil for none.
    func kept(_ topic: String) -> BrokerMessage? {
        state.withLock { state in
            state.retained[topic].flatMap { $0.end.map { $0 > clock.elapsed } ?? true ? $0.message : nil }
        }
    }

    /// The topics of which a message is kept, and that end like this.
    func topics(endingIn suffix: String) -> [String] {
        state.withLock { $0.retained.keys.filter { $0.hasSuffix(suffix) }.sorted() }
    }

    private func isWanted(_ topic: String) -> Bool {
        filters.contains { filter in
            guard let plus = filter.firstIndex(of: "+") else { return topic == filter }
            let (head, tail) = (filter[..<plus], filter[filter.index(after: plus)...])
            let isLong = topic.utf8.count > head.utf8.count + tail.utf8.count
            return isLong && topic.hasPrefix(head) && topic.hasSuffix(tail)
        }
    }
}
