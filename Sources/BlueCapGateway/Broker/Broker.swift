// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
package import BlueCapRuntime
import CBlueCapMosquitto

/// A connection to an MQTT broker that comes back by itself.
///
/// It has a thread of its own, on which the name of the host is resolved, so that the radio does not wait for that.
/// Messages wait in an ``Outbox`` while there is no connection.
package actor Broker: RadioActor, MessagePublisher {
    /// A change of the connection, or a message that comes over it.
    package enum Event: Sendable {
        /// The connection is made, or the broker was asked again for what it keeps, which it may have lost.
        case connected
        /// The connection was lost or could not be made; it is tried again.
        case lost(String)
        /// The broker refused the connection; it is tried again, because the broker's settings may change.
        case refused(BrokerRefusal)
        case received(BrokerMessage)
        /// A message of a topic was dropped, as it was too long.
        case oversized(topic: String)
        /// The broker does not let this client subscribe to a topic.
        case unsubscribed(topic: String)
    }

    /// Numbers of messages and connections.
    package struct Counts: Sendable {
        /// How many messages the broker has.
        package var published = 0
        /// How many messages the broker or the library refused.
        package var refused = 0
        /// How many messages gave way to newer ones of their topics.
        package var replaced = 0
        /// How many messages gave way because there was no room.
        package var dropped = 0
        /// How many messages were of a connection that was lost before the broker had them; see
        /// ``BrokerSettings/endsWithConnection``.
        package var outdated = 0
        /// How many messages of an earlier run were not sent, as their time was over or their topics have changed.
        package var expired = 0
        package var connections = 0
        /// How many events were dropped, as a stream of ``Broker/events`` had no room for them.
        package var missedEvents = 0
    }

    private static let retry = (initial: Duration.milliseconds(250), maximum: Duration.seconds(4))
    /// A connection that ends earlier is a failed attempt: something ends each of them.
    private static let longConnection = Duration.seconds(10)
    /// Longer, because a refusal stays until settings are changed.
    private static let retryAfterRefusal: Duration = .seconds(30)

    /// Messages that come within this time are sent together, and their answers are read together.
    private static let pause = Duration.milliseconds(5)

    package nonisolated let events = Multicaster<Event>(replay: .none)
    private let loop: EventLoop
    private let settings: BrokerSettings
    /// That of the present or next connection.
    private var client: MosquittoClient
    private var topics: [String]
    private let queue: Locked<BrokerQueue>
    /// Whether the thread of the broker was asked to send, and has not begun to.
    private let isScheduled = Locked(false)
    /// Whether the broker has answered messages since the last were sent: there is room for more.
    private var isAnswered = false
    private var watch: (id: WatchID, socket: Int32, isWriting: Bool)?
    private var timer: TimerID?
    private var isConnected = false { didSet { shown.withLock { $0.isOpen = isConnected } } }
    private var counts = Counts() { didSet { shown.withLock { $0.counts = counts } } }
    /// Copies for other threads.
    private nonisolated let shown = Locked((isOpen: false, isGivenUp: false, counts: Counts()))
    /// Whether the next attempt has not begun: the socket may still be that of the last one.
    private var isWaiting = true
    /// Whether the client had a connection, or has tried to get one.
    private var isUsed = false
    private var mayConnect = true
    private var isClosing = false
    private var refusal: BrokerRefusal?
    private var version = MQTT_PROTOCOL_V5
    /// How many attempts there were since a connection that stood for long.
    private var attempts = 0
    private var connectedAt: Duration?
    /// How many connections have ended early, one after the other.
    private var shortConnections = 0
    private var flushed: CheckedContinuation<Void, Never>?

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - settings: The broker.
    ///   - topics: The topics to subscribe to, each time that the connection is made.
    ///   - restored: The messages that an earlier run has left; those whose time is over are counted.
    ///   - isValid: Whether one of them has topics of this run; those that have not are counted.
    /// - Throws: `.setup` where a setting is not taken.
    package init(
        _ settings: BrokerSettings, subscribingTo topics: [String] = [], restoring restored: [WaitingMessage] = [],
        where isValid: (BrokerMessage) -> Bool = { _ in true }
    ) throws(BrokerFailure) {
        do { loop = try EventLoop() } catch { throw .setup("\(error)") }
        client = try MosquittoClient(settings, version: version)
        (self.settings, self.topics) = (settings, topics)
        queue = Locked(
            BrokerQueue(capacity: settings.capacity, endsWithConnection: settings.endsWithConnection))
        queue.withLock { $0.restore(restored, at: Self.date, where: isValid) }
    }

    private static var date: Int64 { BlueCapClock.continuous.date.sinceEpoch.components.seconds }

    /// Begins to connect, without waiting for the thread. Once.
    package nonisolated func open() { later { $0.begin() } }

    private func begin() {
        guard mayConnect, !isGivenUp else { return }
        connect()
        tick()
    }

    package nonisolated func beginConnection() { queue.withLock { $0.beginConnection() } }

    package nonisolated func publish(_ message: BrokerMessage) {
        let date = Self.date
        guard queue.withLock({ $0.add(message, at: date) }) else { return }
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        if isFirst { later { $0.sendSoon() } }
    }

    private func sendSoon() {
        loop.after(Self.pause) { [weak self] in self?.onExecutor { $0.send() } }
        loop.pause(for: Self.pause)
    }

    /// Subscribes to one more topic, now and each time that the connection is made.
    package nonisolated func subscribe(to topic: String) {
        later {
            if $0.topics.contains(topic) { return }
            $0.topics.append(topic)
            guard $0.isConnected else { return }
            $0.client.subscribe(topic)
            $0.follow()
        }
    }

    /// Whether there is a connection now. It is known also while the thread waits for the address of a host.
    package nonisolated var isOpen: Bool { shown.withLock { $0.isOpen } }

    /// How many messages wait for the connection or for an answer. Known as ``isOpen`` is.
    package nonisolated var waitingCount: Int { queue.withLock { $0.count } }

    /// The newest message of each topic that waits for the connection or for an answer, in their order. Known as
    /// ``isOpen`` is.
    package nonisolated var waitingMessages: [WaitingMessage] { queue.withLock { $0 }.messages }

    /// Those that did so at the last call already, or took the place of one that did. While there is a connection there
    /// are hardly any.
    package nonisolated func waitingSinceLastCall() -> [WaitingMessage] {
        let mark = queue.withLock { $0.mark() }
        return waitingMessages.filter { $0.number <= mark }
    }

    /// The numbers of now. Known as ``isOpen`` is.
    package nonisolated var statistics: Counts {
        var counts = shown.withLock { $0.counts }
        queue.withLock {
            (counts.replaced, counts.dropped) = ($0.replacedCount, $0.droppedCount)
            (counts.outdated, counts.expired) = ($0.outdatedCount, $0.expiredCount)
        }
        counts.missedEvents = events.droppedCount
        return counts
    }

    /// Publishes the messages that wait, ends the connection with a farewell, and then the thread. To be called once,
    /// from outside of the thread.
    ///
    /// A thread that waits for the address of a host may do so for half a minute. It is given up after a second, and
    /// ends with the program.
    ///
    /// - Parameter limit: How long the messages may take; those that are left then are lost.
    /// - Returns: How many messages the broker did not acknowledge, without those that gave way to a newer one of their
    ///   topics, which are counted as replaced.
    @discardableResult
    package nonisolated func close(within limit: Duration = .seconds(2)) async -> Int {
        guard await endAttempts(within: .seconds(1)) else {
            shown.withLock { $0.isGivenUp = true }
            events.finish()
            return endCount()
        }
        let lost = await farewell(within: limit)
        await loop.stop()
        return lost
    }

    /// Returns when the thread begins no further attempt to connect; false if it does not answer in time.
    private nonisolated func endAttempts(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            let waiting = Locked(Optional(continuation))
            let resume: @Sendable (Bool) -> Void = { isInTime in
                waiting.withLock { $0.take() }?.resume(returning: isInTime)
            }
            let timer = BlueCapClock.continuous.schedule(after: limit) { resume(false) }
            later {
                $0.mayConnect = false
                timer.cancel()
                resume(true)
            }
        }
    }

    /// Whether the messages that wait were counted as lost: none of them is sent any more.
    private var isGivenUp: Bool { shown.withLock { $0.isGivenUp } }

    private func farewell(within limit: Duration) async -> Int {
        let end = loop.after(limit) { [weak self] in self?.onExecutor { $0.endFlush() } }
        if !isWaiting, !isFlushed { await withCheckedContinuation { flushed = $0 } }
        loop.cancel(end)
        isClosing = true
        if let timer { loop.cancel(timer) }
        // With messages that wait, the last of which may say that this program has ended, the will has to say so: the
        // connection ends with the client, without a word.
        if isFlushed {
            client.disconnect()
            if client.socket != nil { client.write() }
        }
        follow()
        unwatch()
        client.handler = nil
        events.finish()
        return endCount()
    }

    /// How many messages are left at the end.
    private nonisolated func endCount() -> Int {
        queue.withLock { queue in
            if !settings.endsWithConnection { queue.endConnection() }
            return queue.count
        }
    }

    // MARK: The connection

    private func connect() {
        attempts += 1
        isWaiting = false
        do throws(BrokerFailure) {
            // Not earlier: the library may be calling when a connection ends.
            if isUsed { client = try MosquittoClient(settings, version: version) }
            isUsed = true
            client.handler = { [weak self] event in self?.onExecutor { $0.take(event) } }
            try client.connect()
        } catch {
            return lose("\(error)", after: delay)
        }
        follow()
    }

    private var delay: Duration {
        min(Self.retry.initial * (1 << min(max(attempts - 1, 0), 8)), Self.retry.maximum)
    }

    private func lose(_ reason: String, after delay: Duration) {
        events.push(.lost(reason))
        reconnect(after: delay)
    }

    /// Begins a connection of MQTT 5.0, unless the broker has just refused that.
    private func reconnect(after delay: Duration, version: Int32 = MQTT_PROTOCOL_V5) {
        (isConnected, isWaiting, self.version) = (false, true, version)
        unwatch()
        guard !isClosing else { return }
        queue.withLock { $0.endConnection() }
        endFlush()
        loop.after(delay) { [weak self] in
            self?.onExecutor { if $0.mayConnect { $0.connect() } }
        }
    }

    /// Calls the library once a second, for its signs of life.
    private func tick() {
        timer = loop.after(.seconds(1)) { [weak self] in
            self?.onExecutor {
                if !$0.isWaiting { $0.client.keepAlive() }
                $0.follow()
                $0.tick()
            }
        }
    }

    private func take(_ event: MosquittoClient.Event) {
        if isClosing || isWaiting || isGivenUp { return }
        switch event {
        case .connected:
            (isConnected, connectedAt) = (true, BlueCapClock.continuous.elapsed)
            counts.connections += 1
            client.endLog()
            queue.withLock { $0.open() }
            subscribe()
            events.push(.connected)
            send()
        case .refused(let refusal):
            // The library ends the connection after it.
            self.refusal = refusal
        case .disconnected(let reason):
            end(reason)
        case .acknowledged(let number, let isTaken):
            guard queue.withLock({ $0.acknowledge(number) }) else { return }
            if isTaken { counts.published += 1 } else { counts.refused += 1 }
            isAnswered = true
        case .received(let message):
            events.push(.received(message))
        case .oversized(let topic):
            events.push(.oversized(topic: topic))
        case .unsubscribed(let topic):
            events.push(.unsubscribed(topic: topic))
        }
    }

    /// Asks the broker for all messages again that it keeps of the topics. They come behind one more
    /// ``Event/connected``, at which what is published goes behind the question.
    package func askAgain() {
        guard isConnected else { return }
        subscribe()
        events.push(.connected)
    }

    private func subscribe() {
        for topic in topics { client.subscribe(topic) }
        follow()
    }

    private func end(_ reason: String) {
        let begun = connectedAt.take()
        if let begun {
            let isShort = BlueCapClock.continuous.elapsed - begun < Self.longConnection
            (attempts, shortConnections) = isShort ? (attempts, shortConnections + 1) : (0, 0)
        }
        guard let refusal = refusal.take() else {
            // Some brokers do not say that they end a connection as another client has come by its name.
            let isSuspicious = begun != nil && shortConnections >= 3
            let words = "\(reason); it ends each connection: another client may have the name \(settings.clientID)"
            return lose(isSuspicious ? words : reason, after: delay)
        }
        if refusal.isOfVersion, version == MQTT_PROTOCOL_V5 {
            return reconnect(after: .zero, version: MQTT_PROTOCOL_V311)
        }
        events.push(.refused(refusal))
        reconnect(after: Self.retryAfterRefusal)
    }

    // MARK: Messages

    private func send() {
        isScheduled.withLock { $0 = false }
        isAnswered = false
        let count = isConnected ? queue.withLock { $0.nextCount } : 0
        if count > 1 { client.gather(true) }
        while isConnected, let message = queue.withLock({ $0.take() }) {
            let number = client.publish(message)
            queue.withLock { $0.sent(number) }
            if number == nil { counts.refused += 1 }
        }
        if count > 1 { client.gather(false) }
        if count > 0 { loop.pause(for: Self.pause) }
        if isFlushed { endFlush() }
        follow()
    }

    private var isFlushed: Bool { waitingCount == 0 }

    private func endFlush() {
        flushed?.resume()
        flushed = nil
    }

    // MARK: The socket

    /// Waits for the socket as the library does.
    private func follow() {
        guard !isWaiting, let socket = client.socket else { return unwatch() }
        // While a connection is made, it is reported as writable, or as failed.
        let isWriting = client.wantsWrite || !isConnected && watch == nil
        if let watch, watch.socket == socket {
            if watch.isWriting != isWriting { loop.change(watch.id, to: isWriting ? [.read, .write] : .read) }
            self.watch?.isWriting = isWriting
            return
        }
        unwatch()
        let id = try? loop.watch(socket, isWriting ? [.read, .write] : .read) { [weak self] readiness in
            self?.onExecutor { $0.work(readiness) }
        }
        watch = id.map { ($0, socket, isWriting) }
    }

    private func work(_ readiness: Readiness) {
        // In this order: the library goes on with a handshake of TLS in its reading.
        client.read()
        if isAnswered { send() }
        if client.socket != nil, client.wantsWrite { client.write() }
        follow()
    }

    private func unwatch() {
        if let watch { loop.unwatch(watch.id) }
        watch = nil
    }
}
#endif
