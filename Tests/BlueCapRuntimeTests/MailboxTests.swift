// SPDX-License-Identifier: MIT

import BlueCapTestExecutor
import Testing

@testable import BlueCapRuntime

@Suite("Mailbox", .timeLimit(.minutes(60)))
struct MailboxTests {
    struct Failure: Error, Equatable {
        var number = 1
    }

    /// Everything that comes until the end, without its error.
    static func all<Element, Failure: Error>(_ box: Mailbox<Element, Failure>) async -> [Element] {
        var elements: [Element] = []
        while let element = try? await box.next() { elements.append(element) }
        return elements
    }

    @Test func `elements come out in the order they went in`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        for number in 0..<100 { box.push(number) }
        box.finish()
        #expect(await Self.all(box) == Array(0..<100))
        #expect(box.droppedCount == 0)
    }

    @Test func `a full mailbox that keeps the newest drops the oldest and counts each`() async {
        let box = Mailbox<Int, Never>(capacity: .newest(3))
        let dropped = (0..<10).map { box.push($0) }
        #expect(dropped == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
        #expect(box.droppedCount == 7)
        #expect(box.count == 3)
        box.finish()
        #expect(await Self.all(box) == [7, 8, 9])
    }

    @Test func `a full mailbox that keeps the oldest drops what comes and counts each`() async {
        let box = Mailbox<Int, Never>(capacity: .oldest(3))
        let dropped = (0..<10).map { box.push($0) }
        #expect(dropped == [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
        #expect(box.droppedCount == 7)
        box.finish()
        #expect(await Self.all(box) == [0, 1, 2])
    }

    @Test(arguments: [StreamCapacity.newest(0), .newest(-5), .oldest(0)])
    func `a capacity below one is taken as one`(_ capacity: StreamCapacity) async {
        let box = Mailbox<Int, Never>(capacity: capacity)
        box.push(1)
        #expect(box.push(2) == 1)
        #expect(box.count == 1)
    }

    @Test func `room that was made by taking is used again`() async throws {
        let box = Mailbox<Int, Never>(capacity: .oldest(2))
        box.push(1)
        box.push(2)
        _ = await box.next()
        #expect(box.push(3) == 0)
        box.finish()
        #expect(await Self.all(box) == [2, 3])
    }

    @Test
    func `an element is merged into the one that waits and is the same, in its place and without a drop`() async {
        let box = Mailbox<[Int], Never>(
            capacity: .newest(2), coalescing: .init(key: { $0[0] }, merge: { $0 + $1.dropFirst() }))
        box.push([1, 10])
        box.push([2, 20])
        #expect(box.push([1, 11]) == 0)
        #expect(box.droppedCount == 0)
        box.finish()
        #expect(await Self.all(box) == [[1, 10, 11], [2, 20]])
    }

    @Test func `an element is not merged into one that was taken or dropped`() async {
        let box = Mailbox<[Int], Never>(
            capacity: .newest(2), coalescing: .init(key: { $0[0] }, merge: { $0 + $1.dropFirst() }))
        box.push([1, 10])
        #expect(await box.next() == [1, 10])
        box.push([1, 11])
        box.push([2, 20])
        #expect(box.push([3, 30]) == 1)
        #expect(box.push([1, 12]) == 1)
        #expect(box.push([3, 31]) == 0)
        box.finish()
        #expect(await Self.all(box) == [[3, 30, 31], [1, 12]])
    }

    @Test func `with the oldest kept, a dropped element leaves nothing to merge into`() async {
        let box = Mailbox<[Int], Never>(
            capacity: .oldest(1), coalescing: .init(key: { $0[0] }, merge: { $0 + $1.dropFirst() }))
        box.push([1, 10])
        #expect(box.push([2, 20]) == 1)
        #expect(box.push([2, 21]) == 1)
        #expect(box.push([1, 11]) == 0)
        box.finish()
        #expect(await Self.all(box) == [[1, 10, 11]])
    }

    @Test func `the error of the end comes after what is buffered, once, and nil follows`() async throws {
        let box = Mailbox<Int, Failure>(capacity: .unbounded)
        box.push(1)
        box.finish(Failure())
        box.push(2)
        box.finish(Failure(number: 2))
        #expect(try await box.next() == 1)
        await #expect(throws: Failure(number: 1)) { try await box.next() }
        #expect(try await box.next() == nil)
    }

    @Test func `what is pushed after the end is neither kept nor counted as dropped`() async {
        let box = Mailbox<Int, Never>(capacity: .newest(1))
        box.finish()
        #expect(box.push(1) == 0)
        #expect(box.push(2) == 0)
        #expect(box.droppedCount == 0)
        #expect(await box.next() == nil)
    }

    @Test
    func `a task that was cancelled before gets nil at once, and what is buffered stays for others`() async throws {
        let box = Mailbox<Int, Failure>(capacity: .unbounded)
        box.push(1)
        box.finish(Failure())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return [try await box.next(), try await box.next()]
        }
        task.cancel()
        #expect(try await task.value == [nil, nil])
        #expect(try await box.next() == 1)
    }

    @Test func `a cancelled loop ends though more comes than its body takes`() async {
        let box = Mailbox<Int, Never>(capacity: .newest(4))
        box.push(0)
        let task = Task {
            var count = 0
            while await box.next() != nil, count < 100 {
                count += 1
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                for number in 1...2 { box.push(number) }
            }
            return count
        }
        #expect(await task.value == 1)
    }

    @Test func `closing counts what is let go, once`() async {
        let box = Mailbox<Int, Never>(capacity: .newest(2))
        for number in 0..<3 { box.push(number) }
        #expect(box.close() == 2)
        #expect(box.close() == 0)
        #expect(box.droppedCount == 3)
        #expect(await box.next() == nil)
    }

    @Test func `what is added before the consumer is woken is taken in one go`() async {
        let box = Mailbox<Int, Never>(capacity: .newest(3))
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) {
            var taken: [Int] = []
            while let element = await box.next() { taken.append(element) }
            return taken
        }
        await executor.idle()
        let additions = (0..<4).map { box.add($0) }
        #expect(additions.map(\.needsWake) == [true, false, false, false])
        #expect(additions.map(\.droppedCount) == [0, 0, 0, 1])
        await executor.idle()
        #expect(box.count == 3)
        box.wake()
        await executor.idle()
        #expect(box.count == 0)
        #expect(box.add(4).needsWake)
        box.finish()
        #expect(await task.value == [1, 2, 3, 4])
        #expect(box.droppedCount == 1)
    }

    @Test func `adding to a mailbox for which nobody waits, or that has ended, needs no wake`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        #expect(!box.add(1).needsWake)
        box.wake()
        #expect(await box.next() == 1)
        box.finish()
        #expect(!box.add(2).needsWake)
        #expect(await box.next() == nil)
    }

    @Test func `one wake serves as many waiters as there are elements`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let executor = TestExecutor()
        let tasks = (0..<3).map { _ in Task(executorPreference: executor) { await box.next() } }
        await executor.idle()
        for number in 0..<2 { _ = box.add(number) }
        box.wake()
        await executor.idle()
        #expect(box.count == 0)
        box.finish()
        var taken: [Int?] = []
        for task in tasks { taken.append(await task.value) }
        #expect(Set(taken) == [0, 1, nil])
    }

    @Test func `a task that is cancelled while it waits gets nil, and the mailbox goes on for others`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) { await box.next() }
        await executor.idle()
        task.cancel()
        #expect(await task.value == nil)
        box.push(7)
        #expect(await box.next() == 7)
    }

    @Test func `a task that is cancelled after its element came leaves it to others`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let executor = TestExecutor()
        let task = Task(executorPreference: executor) { await box.next() }
        await executor.idle()
        executor.submit {
            box.push(1)
            task.cancel()
        }
        #expect(await task.value == nil)
        #expect(await box.next() == 1)
    }

    @Test func `each of several waiters gets one element, and the end wakes all that are left`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let executor = TestExecutor()
        let tasks = (0..<4).map { _ in Task(executorPreference: executor) { await box.next() } }
        await executor.idle()
        box.push(1)
        box.push(2)
        await executor.idle()
        box.finish()
        var taken: [Int?] = []
        for task in tasks { taken.append(await task.value) }
        #expect(taken.compactMap { $0 }.sorted() == [1, 2])
        #expect(taken.count { $0 == nil } == 2)
    }

    @Test func `of several waiters one gets the error of the end, the others nil`() async {
        let box = Mailbox<Int, Failure>(capacity: .unbounded)
        let executor = TestExecutor()
        let tasks = (0..<3).map { _ in
            Task(executorPreference: executor) { () -> Int in
                do throws(Failure) { return try await box.next() ?? 0 } catch { return -error.number }
            }
        }
        await executor.idle()
        box.finish(Failure())
        var results: [Int] = []
        for task in tasks { results.append(await task.value) }
        #expect(results.sorted() == [-1, 0, 0])
    }

    @Test func `nothing is lost or doubled when pushes race several consumers on many threads`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let count = 2000
        let taken = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 { group.addTask { await Self.all(box) } }
            group.addTask {
                await withTaskGroup(of: Void.self) { pushers in
                    for pusher in 0..<4 {
                        pushers.addTask {
                            for number in 0..<count { box.push(pusher * count + number) }
                        }
                    }
                }
                box.finish()
                return []
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(taken.sorted() == Array(0..<(4 * count)))
    }

    @Test func `what is dropped is told, the oldest or the newest as the capacity says`() {
        let dropped = Locked<[Int]>([])
        for capacity in [StreamCapacity.newest(2), .oldest(2)] {
            let box = Mailbox<Int, Never>(capacity: capacity) { element in dropped.withLock { $0.append(element) } }
            for number in 1...3 { box.push(number) }
        }
        #expect(dropped.withLock { $0 } == [1, 3])
    }

    @Test func `waiters that are cancelled while pushes race them lose nothing and are all woken`() async {
        let box = Mailbox<Int, Never>(capacity: .unbounded)
        let taken = Locked<[Int]>([])
        for round in 0..<300 {
            let task = Task {
                if let element = await box.next() { taken.withLock { $0.append(element) } }
            }
            async let pushed = box.push(round)
            task.cancel()
            _ = await pushed
            await task.value
        }
        box.finish()
        let rest = await Self.all(box)
        #expect((taken.withLock { $0 } + rest).sorted() == Array(0..<300))
    }
}
