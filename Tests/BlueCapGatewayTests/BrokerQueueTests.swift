// SPDX-License-Identifier: MIT

#if Gateway
import Testing

@testable import BlueCapGateway

@Suite("The messages on their way to a broker", .timeLimit(.minutes(60)))
final class BrokerQueueTests {
    private var queue = BrokerQueue(capacity: 16, endsWithConnection: false)

    private func add(_ texts: String...) {
        for text in texts { _ = queue.add(BrokerMessage(topic: "topic", text: text), at: 0) }
    }

    /// The texts of the messages that are sent now, with the numbers from `number` on.
    private func send(from number: Int32 = 1) -> [String] {
        var texts: [String] = []
        while let message = queue.take() {
            queue.sent(number + Int32(texts.count))
            texts.append(message.text)
        }
        return texts
    }

    @Test func `without a connection the newest of a topic waits alone`() {
        add("1", "2", "3")
        #expect(queue.replacedCount == 2)
        #expect(queue.nextCount == 1)
        #expect(send() == ["3"])
    }

    @Test func `over a connection all of a topic are sent, in their order`() {
        queue.open()
        add("1", "2", "3")
        #expect(queue.nextCount == 3)
        #expect(send() == ["1", "2", "3"])
        #expect(queue.replacedCount == 0)
        #expect(queue.count == 3)
    }

    @Test(arguments: [(16, false, 20), (100, false, 100), (10_000, false, 256), (10_000, true, 20)])
    func `of a topic that a slow broker does not take so many wait in their order, and then the newest`(
        capacity: Int, endsWithConnection: Bool, count: Int
    ) {
        queue = BrokerQueue(capacity: capacity, endsWithConnection: endsWithConnection)
        queue.beginConnection()
        queue.open()
        for number in 1...300 { add("\(number)") }
        #expect(queue.nextCount == 20 && queue.count == count + 1)
        #expect(queue.replacedCount == 300 - count - 1)
        var sent: [String] = []
        for round in Int32(0)...15 {
            sent += send(from: round * 20 + 1)
            #expect(queue.nextCount == 0)
            for number in 1...20 { _ = queue.acknowledge(round * 20 + Int32(number)) }
        }
        #expect(sent == (1...count).map { "\($0)" } + ["300"])
        #expect(queue.count == 0)
    }

    @Test func `one that the library refuses makes room for the next`() {
        queue.open()
        add("1", "2")
        #expect(queue.take()?.text == "1")
        queue.sent(nil)
        #expect(send() == ["2"])
        _ = queue.acknowledge(1)
        #expect(queue.count == 0)
    }

    @Test func `the end of the connection leaves the newest of a topic, and counts the others`() {
        queue.open()
        add("1", "2", "3")
        #expect(queue.take()?.text == "1")
        queue.sent(1)
        #expect(queue.messages.map(\.message.text) == ["3"] && queue.count == 3)
        queue.endConnection()
        #expect(queue.messages.map(\.message.text) == ["3"])
        #expect(queue.replacedCount == 2)
        add("4")
        #expect(send() == ["4"])
    }

    @Test func `a removal of a description that the next one follows outlives the connection and the run`() {
        let topic = "homeassistant/device/bluecap_a4c138000001/config"
        queue.open()
        for text in ["", "1", "", "2", "3"] {
            _ = queue.add(BrokerMessage(topic: topic, text: text, isRetained: true), at: 0)
        }
        #expect(queue.messages.map(\.message.text) == ["", "3"])
        var next = BrokerQueue(capacity: 16, endsWithConnection: false)
        next.restore(queue.messages, at: 0)
        #expect(next.take()?.text == "" && next.take()?.text == "3" && next.take() == nil)
        queue.endConnection()
        #expect(queue.messages.map(\.message.text) == ["", "3"])
        #expect(send() == ["", "3"])
    }

    @Test func `the newest of a topic that has waited since the last call is kept, however new it is`() {
        queue.open()
        for (text, isKept) in [("1", false), ("2", true), ("3", true)] {
            add(text)
            let mark = queue.mark()
            let kept = queue.messages.filter { $0.number <= mark }
            #expect(kept.map(\.message.text) == (isKept ? [text] : []))
        }
    }
}
#endif
