// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapLoop
import BlueCapRuntime
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LoopTests {
    @Test func `work runs in the order it was submitted`() async throws {
        let loop = try EventLoop()
        let log = Recorder<Int>()
        for index in 0..<1000 { loop.submit { log.add(index) } }
        await log.wait(for: 1000)
        #expect(log.all == Array(0..<1000))
        await loop.stop()
    }

    @Test func `timers fire by due time, equal ones in order, cancelled ones not at all`() async throws {
        let loop = try EventLoop()
        let log = Recorder<String>()
        await loop.run {
            loop.after(.milliseconds(20)) { log.add("last") }
            loop.after(.milliseconds(5)) { log.add("middle") }
            loop.cancel(loop.after(.milliseconds(1)) { log.add("cancelled") })
            loop.after(.zero) { log.add("first") }
        }
        await log.wait(for: 3)
        #expect(log.all == ["first", "middle", "last"])
        await loop.stop()
    }

    @Test func `its clock calls back on the loop, and a task that is cancelled sleeps no longer`() async throws {
        let loop = try EventLoop()
        let clock = try #require(loop.timerClock)
        let log = Recorder<Bool>()
        clock.schedule(after: .seconds(3600)) { log.add(false) }.cancel()
        _ = clock.schedule(after: .milliseconds(1)) { log.add(loop.isCurrent) }
        await log.wait(for: 1)
        #expect(log.all == [true])
        let before = clock.elapsed
        try await clock.sleep(for: .milliseconds(1))
        #expect(clock.elapsed - before >= .milliseconds(1))
        let sleeping = Task { try await clock.sleep(for: .seconds(3600)) }
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        let left = await loop.run { loop.timers.liveCount }
        #expect(left == 0)
        await loop.stop()
    }

    @Test func `cancelled timers do not pile up`() {
        var heap = TimerHeap()
        let kept = heap.add(delay: .seconds(100)) {}
        for _ in 0..<10_000 { heap.cancel(heap.add(delay: .seconds(100)) {}) }
        #expect(heap.liveCount == 1)
        #expect(heap.storedCount <= 66)
        heap.cancel(kept)
        #expect(heap.liveCount == 0)
    }

    @Test func `due timers come out sorted, whatever the order they went in`() {
        var random = SeededRandom(seed: 3)
        var heap = TimerHeap()
        var fired: [Int] = []
        for delay in (0..<200).shuffled(using: &random) {
            _ = heap.add(delay: .seconds(delay)) { fired.append(delay) }
        }
        let end = TimerHeap.now() + TimerHeap.nanoseconds(.seconds(1000))
        while let body = heap.popDue(at: end) { body() }
        #expect(fired == Array(0..<200))
    }

    @Test func `the loop tells whether code runs on it, and an actor may assume so in its callbacks`() async throws {
        let loop = try EventLoop()
        let actor = OnLoop(loop)
        #expect(!loop.isCurrent)
        #expect(await actor.isOnLoop)
        let assumed = await loop.run { actor.assumeIsolated { $0.isOnLoop } }
        #expect(assumed)
        await loop.stop()
    }

    @Test func `a task that prefers the loop runs on it`() async throws {
        let loop = try EventLoop()
        let isCurrent = await withTaskExecutorPreference(loop) { await loop.currentFromTask() }
        #expect(isCurrent)
        await loop.stop()
    }

    @Test func `a stopped loop has no thread, but still runs a job that comes late`() async throws {
        let loop = try EventLoop()
        let actor = OnLoop(loop)
        await loop.stop()
        #expect(await actor.isOnLoop)
        await loop.stop()
    }

    @Test func `when stopping has returned, nobody but its users holds the loop`() async throws {
        for _ in 0..<1000 {
            weak var released: EventLoop?
            do {
                let loop = try EventLoop()
                released = loop
                await loop.stop()
            }
            #expect(released == nil)
        }
    }

    @Test func `a timer and a watch that a stopping loop drops may submit work as they go`() async throws {
        let loop = try EventLoop()
        let log = Recorder<String>()
        let pair = try PacketPair()
        let descriptor = pair.near.rawValue
        try await loop.run { () throws(LoopError) in
            let (first, second) = (Submitter(loop, log, "timer"), Submitter(loop, log, "watch"))
            loop.after(.seconds(1000)) { first.touch() }
            _ = try loop.watch(descriptor, .read) { _ in second.touch() }
        }
        await loop.stop()
        await log.wait(for: 2)
        #expect(Set(log.all) == ["timer", "watch"])
        await loop.stop()
        _ = consume pair
    }

    @Test func `a watched descriptor is reported until the watch ends`() async throws {
        let loop = try EventLoop()
        let pair = try PacketPair()
        let (near, far) = (pair.near.rawValue, pair.far.rawValue)
        let log = Recorder<Bool>()
        try await loop.run { () throws(LoopError) in
            var id: WatchID?
            id = try loop.watch(near, .read) { ready in
                log.add(ready == .read)
                if let id { loop.unwatch(id) }
            }
            let writer = FileDescriptor(owning: far)
            _ = try writer.duplicate().send([1])
            _ = writer.release()
        }
        await log.wait(for: 1)
        await loop.run {}
        #expect(log.all == [true])
        await loop.stop()
        _ = consume pair
    }
}

/// Submits work to a loop when it is released.
private final class Submitter: Sendable {
    private let loop: EventLoop
    private let log: Recorder<String>
    private let name: String

    init(_ loop: EventLoop, _ log: Recorder<String>, _ name: String) {
        (self.loop, self.log, self.name) = (loop, log, name)
    }

    func touch() {}

    deinit { loop.submit { [log, name] in log.add(name) } }
}

actor OnLoop {
    private nonisolated let loop: EventLoop

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    var isOnLoop: Bool { loop.isCurrent }
}

extension EventLoop {
    @concurrent
    fileprivate func currentFromTask() async -> Bool { isCurrent }
}
#endif
