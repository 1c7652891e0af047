// SPDX-License-Identifier: MIT

import BlueCapTestExecutor
import Testing

@testable import BlueCapRuntime

@Suite("Multicaster", .timeLimit(.minutes(60)))
struct MulticasterTests {
    @Test func `with the current value replayed, each consumer gets it first and every change after`() async {
        let caster = Multicaster<Int>(replay: .current(0))
        let early = caster.stream(capacity: .unbounded)
        caster.push(1)
        caster.push(2)
        let late = caster.stream(capacity: .unbounded)
        caster.push(3)
        caster.finish()
        #expect(await early.all() == [0, 1, 2, 3])
        #expect(await late.all() == [2, 3])
    }

    @Test func `without replay, a consumer gets what comes after it`() async {
        let caster = Multicaster<Int>(replay: .none)
        caster.push(1)
        let stream = caster.stream(capacity: .unbounded)
        caster.push(2)
        caster.finish()
        #expect(await stream.all() == [2])
    }

    @Test func `streams can be ended while later ones are fed again`() async {
        let caster = Multicaster<Int>(replay: .none)
        let early = caster.stream(capacity: .unbounded)
        caster.push(1)
        caster.endStreams()
        let late = caster.stream(capacity: .unbounded)
        caster.push(2)
        caster.finish()
        #expect(await early.all() == [1])
        #expect(await late.all() == [2])
    }

    @Test
    func `a consumer that wants some elements only is given those, after what it is given first`() async {
        let caster = Multicaster<Int>(replay: .none)
        let even = caster.stream(capacity: .newest(3), first: [7]) { $0 % 2 == 0 }
        let all = caster.stream(capacity: .unbounded)
        for number in 0..<4 { caster.push(number) }
        caster.finish()
        #expect(await even.all() == [7, 0, 2])
        #expect(await all.all() == [0, 1, 2, 3])
    }

    @Test
    func `events held until the first consumer go to it alone, up to the limit, and what is more is counted`() async {
        let caster = Multicaster<Int>(replay: .untilFirstConsumer(limit: 3))
        for number in 0..<5 { caster.push(number) }
        #expect(caster.droppedCount == 2)
        let first = caster.stream(capacity: .unbounded)
        let second = caster.stream(capacity: .unbounded)
        caster.push(5)
        caster.finish()
        #expect(await first.all() == [2, 3, 4, 5])
        #expect(await second.all() == [5])
    }

    @Test func `what a new consumer has no room for is counted, and given to the closure`() async {
        let dropped = Locked<[Int]>([])
        let caster = Multicaster<Int>(replay: .untilFirstConsumer(limit: 64)) { element in
            // Without a lock of the multicaster's, or this would not come back.
            dropped.withLock { $0.append(element) }
        }
        for number in 0..<4 { caster.push(number) }
        let stream = caster.stream(capacity: .newest(1), first: [-2, -1])
        caster.finish()
        #expect(await stream.all() == [3])
        #expect(dropped.withLock { $0 } == [-2, -1, 0, 1, 2])
        #expect(caster.droppedCount == 5)
    }

    @Test func `a consumer that does not take holds nobody else up, and only its own capacity drops`() async {
        let caster = Multicaster<Int>(replay: .none)
        let slow = caster.stream(capacity: .newest(2))
        let fast = caster.stream(capacity: .unbounded)
        for number in 0..<10 { caster.push(number) }
        caster.finish()
        #expect(await fast.all() == Array(0..<10))
        #expect(await slow.all() == [8, 9])
        #expect(caster.droppedCount == 8)
    }

    @Test
    func `a second call in the middle disturbs neither the order nor the completeness of the first stream`() async {
        let caster = Multicaster<Int>(replay: .current(0))
        let first = caster.stream(capacity: .unbounded)
        var iterator = first.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        caster.push(1)
        let second = caster.stream(capacity: .unbounded)
        caster.push(2)
        caster.finish()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == nil)
        #expect(await second.all() == [1, 2])
    }

    @Test func `a stream made after the end gives its replay and ends`() async {
        let caster = Multicaster<Int>(replay: .current(0))
        caster.push(1)
        caster.finish()
        caster.push(2)
        #expect(await caster.stream(capacity: .unbounded).all() == [1])
        #expect(caster.consumerCount == 0)
    }

    @Test func `a released stream takes its consumer off`() {
        let caster = Multicaster<Int>(replay: .none)
        do {
            let stream = caster.stream(capacity: .unbounded)
            #expect(caster.consumerCount == 1)
            _ = stream
        }
        #expect(caster.consumerCount == 0)
    }

    @Test func `a loop that was left takes its consumer off`() async {
        let caster = Multicaster<Int>(replay: .current(0))
        for await _ in caster.stream(capacity: .unbounded) { break }
        #expect(caster.consumerCount == 0)
    }

    @Test func `a cancelled loop ends and takes its consumer off`() async {
        let caster = Multicaster<Int>(replay: .none)
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) { [caster] in
            for await _ in caster.stream(capacity: .unbounded) {}
        }
        await executor.idle()
        #expect(caster.consumerCount == 1)
        task.cancel()
        await task.value
        #expect(caster.consumerCount == 0)
    }

    @Test func `consumers that come and go while elements are pushed see each a run without gaps`() async {
        let caster = Multicaster<Int>(replay: .current(0))
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for number in 1...2000 { caster.push(number) }
                return true
            }
            for _ in 0..<50 {
                group.addTask {
                    var last: Int?
                    var taken = 0
                    for await number in caster.stream(capacity: .unbounded) {
                        if let last, number != last + 1 { return false }
                        last = number
                        taken += 1
                        if taken == 20 || number == 2000 { break }
                    }
                    return true
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        #expect(caster.consumerCount == 0)
    }
}

extension AsyncStream {
    /// Everything until the end.
    func all() async -> [Element] {
        var elements: [Element] = []
        for await element in self { elements.append(element) }
        return elements
    }
}
