// SPDX-License-Identifier: MIT

#if Gateway
import Testing

@testable import BlueCapGateway

@Suite("Messages that wait for a broker", .timeLimit(.minutes(60)))
struct OutboxTests {
    private func message(_ topic: String, _ text: String) -> BrokerMessage { BrokerMessage(topic: topic, text: text) }

    private func texts(_ outbox: inout Outbox) -> [String] {
        var texts: [String] = []
        while let next = outbox.next() { texts.append(next.message.text) }
        return texts
    }

    @Test func `are taken in the order of their topics, the newest of each`() {
        var outbox = Outbox(capacity: 8)
        for (topic, text) in [("a", "a1"), ("b", "b1"), ("a", "a2"), ("c", "c1"), ("a", "a3")] {
            outbox.add(message(topic, text))
        }
        #expect(outbox.replacedCount == 2)
        #expect(texts(&outbox) == ["a3", "b1", "c1"])
        #expect(outbox.isEmpty && outbox.droppedCount == 0)
    }

    @Test func `give way when there is no room, the oldest topic first, and are counted`() {
        var outbox = Outbox(capacity: 2)
        for name in ["a", "b", "c", "d"] { outbox.add(message(name, name)) }
        #expect(outbox.droppedCount == 2)
        #expect(texts(&outbox) == ["c", "d"])
    }

    @Test func `go ahead of the others if they are urgent, and give way last`() {
        var outbox = Outbox(capacity: 3)
        for name in ["a", "b", "c", "d", "e"] {
            var message = message(name, name)
            message.isUrgent = name == "b" || name == "d"
            outbox.add(message)
        }
        #expect(outbox.droppedCount == 2)
        #expect(texts(&outbox) == ["b", "d", "e"])
    }

    @Test func `give way before all others if they are events, the oldest first, and are taken in the order of all`() {
        var outbox = Outbox(capacity: 4)
        func add(_ name: String, isEvent: Bool = false) {
            var message = message(name, name)
            message.isMomentary = isEvent
            outbox.add(message)
        }
        add("a")
        for number in 1...300 { add("\(number)", isEvent: true) }
        for name in ["b", "c"] { add(name) }
        #expect(outbox.count == 4 && outbox.droppedCount == 299)
        add("301", isEvent: true)
        #expect(outbox.count == 4 && outbox.droppedCount == 300)
        #expect(texts(&outbox) == ["a", "b", "c", "301"])
        // Only then the oldest of the others.
        for name in ["1", "2"] { add(name, isEvent: true) }
        for name in ["d", "e", "f", "g", "h"] { add(name) }
        #expect(outbox.droppedCount == 303)
        #expect(texts(&outbox) == ["e", "f", "g", "h"] && outbox.isEmpty)
        for name in ["1", "i", "2"] { add(name, isEvent: name != "i") }
        #expect(outbox.removeMomentary() == 2 && outbox.count == 1)
    }

    @Test func `go behind those of before when they replace an urgent one and are not urgent`() {
        var outbox = Outbox(capacity: 4)
        func add(_ topic: String, _ text: String, isUrgent: Bool = false) {
            var message = message(topic, text)
            message.isUrgent = isUrgent
            outbox.add(message)
        }
        add("owner", "claim", isUrgent: true)
        add("state", "removal")
        add("owner", "release")
        #expect(outbox.messages.sorted { $0.number < $1.number }.map(\.message.text) == ["removal", "release"])
        #expect(outbox.replacedCount == 1)
        #expect(texts(&outbox) == ["removal", "release"])

        add("owner", "release 2")
        for number in 3...9 {
            add("owner", "claim \(number)", isUrgent: true)
            add("state", "removal")
            add("owner", "release \(number)")
        }
        add("life", "sign", isUrgent: true)
        #expect(texts(&outbox) == ["sign", "removal", "release 9"])
        #expect(outbox.droppedCount == 0 && outbox.isEmpty)
    }

    private static let config = "homeassistant/device/bluecap_a4c138000001/config"

    private func removal() -> BrokerMessage { BrokerMessage(topic: Self.config, payload: [], isRetained: true) }

    @Test func `are both the removal of a description and the next one, as entities would stay without it`() {
        var outbox = Outbox(capacity: 8)
        for text in ["1", "", "2", "3"] {
            for topic in [Self.config, "state"] {
                outbox.add(BrokerMessage(topic: topic, text: text, isRetained: true))
            }
        }
        #expect(outbox.count == 3 && outbox.replacedCount == 5)
        #expect(texts(&outbox) == ["", "3", "3"] && outbox.isEmpty)
        for _ in 0..<2 {
            outbox.add(removal())
            outbox.add(message(Self.config, "4"))
        }
        outbox.add(removal())
        #expect(outbox.count == 1 && texts(&outbox) == [""])
    }

    @Test func `are in the order of all, and behind urgent ones, if one is the removal of a description`() {
        var outbox = Outbox(capacity: 8)
        outbox.add(removal())
        var (event, urgent) = (message("press", "event"), message("owner", "urgent"))
        (event.isMomentary, urgent.isUrgent) = (true, true)
        for message in [event, message(Self.config, "1"), urgent] { outbox.add(message) }
        #expect(texts(&outbox) == ["urgent", "", "event", "1"])
    }

    @Test func `are put back with the removal of a description before the next one`() {
        var outbox = Outbox(capacity: 8)
        outbox.add(message(Self.config, "2"))
        outbox.putBack([removal(), message(Self.config, "1"), removal()].map { WaitingMessage(message: $0, date: 0) })
        #expect(outbox.replacedCount == 2 && texts(&outbox) == ["", "2"])
    }

    @Test func `give way with the removal of their description`() {
        var outbox = Outbox(capacity: 2)
        outbox.add(message("a", "a"))
        outbox.add(removal())
        outbox.add(message(Self.config, "1"))
        #expect(outbox.droppedCount == 1 && outbox.count == 2)
        outbox.add(message("b", "b"))
        #expect(outbox.droppedCount == 3 && texts(&outbox) == ["b"])
    }

    @Test func `are put back before the others, but for topics with a newer message`() {
        var outbox = Outbox(capacity: 8)
        for (topic, text) in [("b", "b2"), ("d", "d1")] { outbox.add(message(topic, text)) }
        let taken = [("a", "a1"), ("b", "b1"), ("c", "c1"), ("a", "a2")]
        outbox.putBack(taken.map { WaitingMessage(message: message($0, $1), date: 0) })
        #expect(outbox.replacedCount == 2)
        #expect(texts(&outbox) == ["c1", "a2", "b2", "d1"])
    }

    @Test func `give way first when they are put back and there is no room`() {
        var outbox = Outbox(capacity: 2)
        for name in ["c", "d"] { outbox.add(message(name, name)) }
        outbox.putBack(["a", "b"].map { WaitingMessage(message: message($0, $0), date: 0) })
        #expect(outbox.droppedCount == 2)
        #expect(texts(&outbox) == ["c", "d"])
    }

    @Test func `of a topic that was taken wait behind the others`() {
        var outbox = Outbox(capacity: 8)
        outbox.add(message("a", "a1"))
        #expect(outbox.next()?.message.text == "a1")
        outbox.add(message("b", "b1"))
        outbox.add(message("a", "a2"))
        #expect(texts(&outbox) == ["b1", "a2"])
        #expect(outbox.replacedCount == 0)
    }
}
#endif
