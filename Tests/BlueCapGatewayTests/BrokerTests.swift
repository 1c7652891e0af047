// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import Dispatch
import Testing

/// Over mosquitto itself.
@Suite("A connection to a broker", .timeLimit(.minutes(60)), .serialized)
struct BrokerTests {
    private func settings(_ mosquitto: Mosquitto, _ name: String) -> BrokerSettings {
        BrokerSettings(address: mosquitto.address, clientID: name)
    }

    /// A client that has subscribed to the topics.
    private func listener(_ mosquitto: Mosquitto, _ topics: [String]) async throws -> (
        Broker, AsyncStream<BrokerEvent>
    ) {
        let broker = try Broker(settings(mosquitto, "listener"), subscribingTo: topics + ["ready"])
        let events = broker.events.stream(capacity: .unbounded)
        broker.open()
        // A broker takes what a client sends in its order: it subscribes when it has connected.
        broker.publish(BrokerMessage(topic: "ready", text: "ready"))
        #expect(await messages(1, of: events).map(\.topic) == ["ready"])
        return (broker, events)
    }

    /// Returns when the connection is made.
    private func connection(in events: AsyncStream<BrokerEvent>) async {
        for await event in events { if case .connected = event { return } }
    }

    private func end(_ brokers: Broker...) async {
        for broker in brokers { await broker.close() }
    }

    /// The next messages that are received.
    private func messages(_ count: Int, of events: AsyncStream<BrokerEvent>) async -> [BrokerMessage] {
        var messages: [BrokerMessage] = []
        for await event in events {
            if case .received(let message) = event { messages.append(message) }
            if messages.count == count { break }
        }
        return messages
    }

    @Test func `publishes, and receives what it has subscribed to`() async throws {
        let mosquitto = try Mosquitto()
        let (listener, events) = try await listener(mosquitto, ["a/#"])
        let broker = try Broker(settings(mosquitto, "sender"))
        broker.open()
        for number in 0..<100 {
            broker.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)", isRetained: true))
        }
        let received = await messages(100, of: events)
        #expect(received.map(\.topic) == (0..<100).map { "a/\($0)" })
        #expect(received.map(\.text) == (0..<100).map { "\($0)" })
        #expect(await broker.close() == 0)
        #expect(broker.statistics.published == 100)
        await end(listener)
    }

    @Test func `receives no message of more bytes than any that it asks for`() async throws {
        let mosquitto = try Mosquitto()
        let (listener, events) = try await listener(mosquitto, ["a", "b"])
        let broker = try Broker(settings(mosquitto, "sender"))
        broker.open()
        broker.publish(BrokerMessage(topic: "a", payload: [UInt8](repeating: 0x61, count: 10_000_000)))
        broker.publish(BrokerMessage(topic: "b", text: "small"))
        #expect(await messages(1, of: events).map(\.text) == ["small"])
        await end(listener, broker)
    }

    @Test func `loses no message while the broker is killed and comes back`() async throws {
        let mosquitto = try Mosquitto()
        let broker = try Broker(settings(mosquitto, "sender"))
        let own = broker.events.stream(capacity: .unbounded)
        broker.open()
        await connection(in: own)
        for number in 0..<50 {
            broker.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)", isRetained: true))
        }
        mosquitto.stop()
        for number in 50..<100 {
            broker.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)", isRetained: true))
        }
        try mosquitto.start()
        await connection(in: own)
        #expect(await broker.close(within: .seconds(30)) == 0)
        #expect(broker.statistics.connections >= 2)
        #expect(broker.statistics.published == 100)
    }

    @Test func `counts the events that a stream has no room for, and gets what the broker keeps again`() async throws {
        let mosquitto = try Mosquitto()
        let broker = try Broker(settings(mosquitto, "sender"), subscribingTo: ["a/#"])
        let narrow = broker.events.stream(capacity: .newest(4))
        let events = broker.events.stream(capacity: .unbounded)
        broker.open()
        for number in 0..<30 {
            broker.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)", isRetained: true))
        }
        // Also connections, and attempts at one.
        var eventCount = 0
        var messageCount = 0
        for await event in events {
            eventCount += 1
            if case .received = event { messageCount += 1 }
            if messageCount == 30 { break }
        }
        // An event is counted behind its delivery to all streams.
        await withCheckedContinuation { counted in broker.later { _ in counted.resume() } }
        #expect(broker.statistics.missedEvents == eventCount - 4)
        await broker.askAgain()
        // As after a new connection, so that no answer comes to a reader who does not expect it.
        var again: [BrokerMessage] = []
        var connectionCount = 0
        for await event in events {
            if case .connected = event, again.isEmpty { connectionCount += 1 }
            if case .received(let message) = event { again.append(message) }
            if again.count == 30 { break }
        }
        #expect(connectionCount == 1)
        #expect(Set(again.map(\.topic)).count == 30 && again.allSatisfy(\.isRetained))
        await end(broker)
        withExtendedLifetime(narrow) {}
    }

    @Test(arguments: [false, true])
    func `sends what a lost connection has left unless it ends with that, and counts it then`(
        _ ends: Bool
    ) async throws {
        let mosquitto = try Mosquitto()
        var settings = settings(mosquitto, "sender")
        settings.endsWithConnection = ends
        let broker = try Broker(settings)
        let own = broker.events.stream(capacity: .unbounded)
        broker.open()
        await connection(in: own)
        broker.beginConnection()
        mosquitto.pause()
        for number in 0..<30 {
            broker.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)", isRetained: true))
        }
        // Twenty are with the library by then.
        await withCheckedContinuation { sent in broker.later { _ in sent.resume() } }
        mosquitto.stop()
        try mosquitto.start()
        await connection(in: own)
        broker.publish(BrokerMessage(topic: "a/late", text: "late", isRetained: true))
        broker.beginConnection()
        broker.publish(BrokerMessage(topic: "a/new", text: "new", isRetained: true))
        #expect(await broker.close(within: .seconds(30)) == 0)
        #expect(broker.statistics.outdated == (ends ? 31 : 0))

        let reader = try Broker(self.settings(mosquitto, "reader"), subscribingTo: ["a/#", "end"])
        let events = reader.events.stream(capacity: .unbounded)
        reader.open()
        reader.publish(BrokerMessage(topic: "end", text: "end"))
        #expect(await messages(ends ? 2 : 33, of: events).last?.topic == "end")
        await end(reader)
    }

    @Test func `leaves its will where it ends while messages wait`() async throws {
        let mosquitto = try Mosquitto()
        let (listener, events) = try await listener(mosquitto, ["will"])
        var settings = settings(mosquitto, "sender")
        settings.will = BrokerMessage(topic: "will", text: "offline")
        var broker: Broker? = try Broker(settings)
        let own = try #require(broker).events.stream(capacity: .unbounded)
        broker?.open()
        await connection(in: own)
        mosquitto.pause()
        for number in 0..<30 { broker?.publish(BrokerMessage(topic: "a/\(number)", text: "\(number)")) }
        for number in 0..<5 { broker?.publish(BrokerMessage(topic: "a/0", text: "newer \(number)")) }
        #expect(await broker?.close(within: .milliseconds(100)) == 30)
        #expect(broker?.statistics.replaced == 5)
        broker = nil
        mosquitto.goOn()
        #expect(await messages(1, of: events).map(\.text) == ["offline"])
        await end(listener)
    }

    @Test func `leaves its will where it ends without a farewell, and not after one`() async throws {
        let mosquitto = try Mosquitto()
        let (listener, events) = try await listener(mosquitto, ["will", "end"])
        var settings = settings(mosquitto, "sender")
        settings.will = BrokerMessage(topic: "will", text: "offline")
        let first = try Broker(settings)
        first.open()
        first.publish(BrokerMessage(topic: "end", text: "first"))
        await first.close()
        let second = try Broker(settings)
        let connected = second.events.stream(capacity: .unbounded)
        second.open()
        await connection(in: connected)
        // A second client of the same name: the broker ends the first one's connection.
        let usurper = try Broker(BrokerSettings(address: mosquitto.address, clientID: "sender"))
        usurper.open()
        #expect(await messages(2, of: events).map(\.text) == ["first", "offline"])
        await end(listener, usurper, second)
    }

    @Test func `says that the broker refuses its password`() async throws {
        let mosquitto = try Mosquitto("allow_anonymous false")
        let broker = try Broker(settings(mosquitto, "sender"))
        let events = broker.events.stream(capacity: .unbounded)
        broker.open()
        var refusal: String?
        for await event in events {
            if case .refused(let reason) = event {
                refusal = "\(reason)"
                break
            }
        }
        #expect(refusal == "this client is not authorized")
        await end(broker)
    }

    @Test func `tells each attempt that fails, and ends at once where there is no broker`() async throws {
        let mosquitto = try Mosquitto()
        mosquitto.stop()
        let broker = try Broker(settings(mosquitto, "sender"))
        let events = broker.events.stream(capacity: .unbounded)
        broker.open()
        broker.publish(BrokerMessage(topic: "a", text: "b"))
        var losses = 0
        for await event in events {
            if case .lost = event { losses += 1 }
            if losses == 3 { break }
        }
        #expect(await broker.close() == 1)
    }

    /// The name of a host is resolved on the broker's thread, by a function that cannot be interrupted.
    @Test func `ends though its thread waits for the address of a host, and counts what is lost`() async throws {
        let mosquitto = try Mosquitto()
        let broker = try Broker(settings(mosquitto, "sender"))
        let resolved = DispatchSemaphore(value: 0)
        broker.later { _ in resolved.wait() }
        broker.open()
        broker.publish(BrokerMessage(topic: "a", text: "b"))
        #expect(await broker.close() == 1)
        resolved.signal()
    }
}
#endif
