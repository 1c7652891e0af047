// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Update queue", .timeLimit(.minutes(60)))
struct UpdateQueueTests {
    static func queue(_ values: UInt8...) -> UpdateQueue {
        var queue = UpdateQueue()
        for value in values { queue.append(.init(value: [value]), limit: nil) }
        return queue
    }

    static func take(from queue: inout UpdateQueue, where isReachable: (Bytes) -> Bool = { _ in true }) -> Bytes? {
        queue.take { isReachable($0.value) }?.value
    }

    static func expectsTaker(_ queue: inout UpdateQueue) -> Bool { queue.expectTaker() }

    @Test func `one update at most is with the backend`() {
        var queue = Self.queue(1, 2)
        #expect(Self.take(from: &queue) == [1])
        #expect(Self.take(from: &queue) == nil)
        queue.sent()
        #expect(Self.take(from: &queue) == [2])
    }

    @Test func `an update that was never in the queue is dropped, and none of those that have left it`() {
        var queue = Self.queue(1)
        queue.dropUnqueued()
        #expect(queue.droppedCount == 1)
        #expect(queue.endedCount == 0)
        _ = Self.take(from: &queue)
        queue.sent()
        #expect(queue.endedCount == 1)
    }

    @Test func `only one caller has the next update taken, until it was taken or could not be`() {
        var queue = Self.queue(1)
        #expect(Self.expectsTaker(&queue))
        #expect(!Self.expectsTaker(&queue))
        queue.takerLeft()
        #expect(Self.expectsTaker(&queue))
        _ = Self.take(from: &queue)
        queue.append(.init(value: [2]), limit: nil)
        #expect(!Self.expectsTaker(&queue))
        queue.sent()
        #expect(Self.expectsTaker(&queue))
    }

    @Test func `what is put back is the first again, and is dropped first when it does not fit`() {
        var queue = Self.queue(1, 2, 3)
        _ = Self.take(from: &queue)
        let isAwaited = queue.putBack(limit: nil)
        #expect(!isAwaited)
        #expect(queue.values == [[1], [2], [3]])
        _ = Self.take(from: &queue)
        queue.subscriberJoined()
        let isAwaitedNow = queue.putBack(limit: 2)
        #expect(isAwaitedNow)
        #expect(queue.values == [[2], [3]])
        #expect(queue.droppedCount == 1)
    }

    @Test func `one more update drops one, however many wait over the limit`() {
        var queue = Self.queue(1, 2, 3, 4)
        queue.append(.init(value: [5]), limit: 2)
        #expect(queue.values == [[2], [3], [4], [5]])
        queue.trim(to: 1)
        #expect(queue.values == [[5]])
        #expect(queue.droppedCount == 4)
    }

    @Test func `updates that can reach nobody are passed over and counted`() {
        var queue = Self.queue(1, 2, 3)
        #expect(Self.take(from: &queue) { $0 == [3] } == [3])
        #expect(queue.droppedCount == 2)
        queue.lost()
        #expect(queue.droppedCount == 3)
        queue.lost()
        #expect(queue.droppedCount == 3)
    }

    @Test func `what is given up with its service is counted, with what the backend has not answered`() {
        var queue = Self.queue(1, 2, 3)
        _ = Self.take(from: &queue)
        queue.removeAll()
        #expect(queue.values == [])
        #expect(queue.droppedCount == 3)
        queue.removeAll()
        #expect(queue.droppedCount == 3)
    }
}
