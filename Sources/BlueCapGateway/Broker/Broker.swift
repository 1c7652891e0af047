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
package actor Broker: RadioActor, BrokerConnection {
    /// Messages that come within this time are sent together, and their answers are read together.
    private static let pause = Duration.milliseconds(5)

    package nonisolated let address: BrokerAddress
    package nonisolated let events = Multicaster<BrokerEvent>(replay: .none)
    let loop: EventLoop
    private let settings: BrokerSettings
    /// The client of the present or next connection.
    private var client: MosquittoClient
    private var topics: [String]
    let queue: Locked<BrokerQueue>
    /// Whether the thread of the broker was asked to send, and has not begun to.
    private let isScheduled = Locked(false)
    /// Whether the broker has answered messages since the last were sent: there is room for more.
    private var isAnswered = false
    private var watch: SocketWatch
    private var timer: TimerID?
    private var isConnected = false { didSet { shown.withLock { $0.isOpen = isConnected } } }
    private var counts = BrokerCounts() { didSet { shown.withLock { $0.counts = counts } } }
    /// Copies for other threads.
    nonisolated let shown = Locked((isOpen: false, isGivenUp: false, counts: BrokerCounts()))
    /// Whether the next attempt has not begun: the socket may still be the last attempt's.
    private var isWaiting = true
    /// Whether the client had a connection, or has tried to get one.
    private var isUsed = false
    var mayConnect = true
    private var isClosing = false
    private var refusal: BrokerRefusal?
    private var version = MQTT_PROTOCOL_V5
    private var attempts = BrokerAttempts()
    private var flushed: CheckedContinuation<Void, Never>?

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - settings: The broker.
    ///   - topics: The topics to subscribe to, each time that the connection is made.
    ///   - restored: The messages that an earlier run has left; a message whose time is over is counted.
    ///   - isValid: Whether a restored message has topics of this run; the others are counted.
    /// - Throws: `.setup` where a setting is not taken.
    package init(
        _ settings: BrokerSettings, subscribingTo topics: [String] = [], restoring restored: [WaitingMessage] = [],
        where isValid: (BrokerMessage) -> Bool = { _ in true }
    ) throws(BrokerFailure) {
        guard let address = settings.address else { throw .setup("no broker is named") }
        do { loop = try EventLoop() } catch { throw .setup("\(error)") }
        watch = SocketWatch(loop)
        client = try MosquittoClient(settings, to: address, version: version)
        (self.settings, self.address, self.topics) = (settings, address, topics)
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

    /// Whether the messages that wait were counted as lost: none of them is sent any more.
    private var isGivenUp: Bool { shown.withLock { $0.isGivenUp } }

    func farewell(within limit: Duration) async -> Int {
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
        watch.end()
        client.handler = nil
        events.finish()
        return endCount()
    }

    /// How many messages are left at the end.
    nonisolated func endCount() -> Int {
        queue.withLock { queue in
            if !settings.endsWithConnection { queue.endConnection() }
            return queue.count
        }
    }

    // MARK: The connection

    private func connect() {
        attempts.begin()
        isWaiting = false
        do throws(BrokerFailure) {
            // Not earlier: the library may be calling when a connection ends.
            if isUsed { client = try MosquittoClient(settings, to: address, version: version) }
            isUsed = true
            client.handler = { [weak self] event in self?.onExecutor { $0.take(event) } }
            try client.connect()
        } catch {
            return lose("\(error)")
        }
        follow()
    }

    private func lose(_ reason: String) {
        events.push(.lost(reason))
        reconnect(after: attempts.delay)
    }

    /// Begins a connection of MQTT 5.0, unless the broker has just refused that.
    private func reconnect(after delay: Duration, version: Int32 = MQTT_PROTOCOL_V5) {
        (isConnected, isWaiting, self.version) = (false, true, version)
        watch.end()
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
            isConnected = true
            attempts.succeed(at: BlueCapClock.continuous.elapsed)
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
    /// ``BrokerEvent/connected``, from which on published messages go behind the question.
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
        let isSuspicious = attempts.end(at: BlueCapClock.continuous.elapsed)
        guard let refusal = refusal.take() else {
            // Some brokers do not say that they end a connection as another client has come by its name.
            let words = "\(reason); it ends each connection: another client may have the name \(settings.clientID)"
            return lose(isSuspicious ? words : reason)
        }
        if refusal.isOfVersion, version == MQTT_PROTOCOL_V5 {
            return reconnect(after: .zero, version: MQTT_PROTOCOL_V311)
        }
        events.push(.refused(refusal))
        reconnect(after: BrokerAttempts.delayAfterRefusal)
    }

    // MARK: Messages

    private func send() {
        isScheduled.withLock { $0 = false }
        isAnswered = false
        let count = isConnected ? queue.withLock { $0.nextCount } : 0
        if count > 1 { client.gather(true) }
        while isConnected, let message = queue.withLock({ $0.take(at: Self.date) }) {
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
        guard !isWaiting, let socket = client.socket else { return watch.end() }
        // While a connection is made, it is reported as writable, or as failed.
        let isWriting = client.wantsWrite || !isConnected && !watch.isWaiting
        watch.follow(socket, isWriting: isWriting) { [weak self] readiness in
            self?.onExecutor { $0.work(readiness) }
        }
    }

    private func work(_ readiness: Readiness) {
        // In this order: the library goes on with a handshake of TLS in its reading.
        client.read()
        if isAnswered { send() }
        if client.socket != nil, client.wantsWrite { client.write() }
        follow()
    }
}
#endif
