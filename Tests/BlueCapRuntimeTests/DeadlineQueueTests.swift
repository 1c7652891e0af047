// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapRuntime

@Suite("Deadline queue", .timeLimit(.minutes(60)))
struct DeadlineQueueTests {
    /// Takes out all due entries, in order.
    static func due(_ queue: inout DeadlineQueue<Int>, at now: Duration) -> [Int] {
        var taken: [Int] = []
        while let action = queue.popDue(at: now) { taken.append(action) }
        return taken
    }

    @Test func `the earliest comes first, of equals the one added first`() {
        var queue = DeadlineQueue<Int>()
        for (number, seconds) in [(0, 5), (1, 1), (2, 3), (3, 1), (4, 5)] {
            _ = queue.add(at: .seconds(seconds), number)
        }
        #expect(queue.next == .seconds(1))
        #expect(Self.due(&queue, at: .seconds(10)) == [1, 3, 2, 0, 4])
        #expect(queue.next == nil)
    }

    @Test func `what is not due stays`() {
        var queue = DeadlineQueue<Int>()
        _ = queue.add(at: .seconds(2), 2)
        _ = queue.add(at: .seconds(1), 1)
        #expect(Self.due(&queue, at: .milliseconds(999)) == [])
        #expect(Self.due(&queue, at: .seconds(1)) == [1])
        #expect(queue.next == .seconds(2))
    }

    @Test func `a removed action is given back once and does not come`() {
        var queue = DeadlineQueue<Int>()
        let first = queue.add(at: .seconds(1), 1)
        _ = queue.add(at: .seconds(2), 2)
        #expect(queue.remove(first) == 1)
        #expect(queue.remove(first) == nil)
        #expect(queue.next == .seconds(2))
        #expect(Self.due(&queue, at: .seconds(5)) == [2])
    }

    @Test func `the token of an action that ran removes nothing`() {
        var queue = DeadlineQueue<Int>()
        let first = queue.add(at: .seconds(1), 1)
        #expect(queue.popDue(at: .seconds(1)) == 1)
        _ = queue.add(at: .seconds(1), 2)
        #expect(queue.remove(first) == nil)
        #expect(queue.popDue(at: .seconds(1)) == 2)
    }

    @Test func `many actions in any order, half of them removed, come out sorted`() {
        var queue = DeadlineQueue<Int>()
        var random = SystemRandomNumberGenerator()
        let numbers = (0..<1000).shuffled(using: &random)
        let tokens = numbers.map { ($0, queue.add(at: .milliseconds($0), $0)) }
        for (number, token) in tokens where number % 2 == 1 { #expect(queue.remove(token) == number) }
        #expect(Self.due(&queue, at: .seconds(1)) == Array(stride(from: 0, to: 1000, by: 2)))
    }

    @Test func `short calls with long deadlines leave nothing behind`() {
        var queue = DeadlineQueue<Int>()
        _ = queue.add(at: .seconds(1), 0)
        for number in 1...10_000 {
            let token = queue.add(at: .seconds(3600), number)
            queue.remove(token)
        }
        #expect(queue.heapCount <= 130)
        #expect(Self.due(&queue, at: .seconds(7200)) == [0])
    }
}
