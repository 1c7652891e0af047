// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapLoop
import BlueCapTestExecutor
import Testing

/// The system calls that the loop costs.
extension LoopTests {
    @Test func `what the loop's own handlers, timers and jobs submit does not wake it`() async throws {
        let loop = try EventLoop()
        let pair = try PacketPair()
        let (near, far) = (pair.near.rawValue, pair.far.rawValue)
        let woken = Recorder<Int>()
        try await loop.run { () throws(LoopError) in
            var id: WatchID?
            id = try loop.watch(near, .read) { _ in
                if let id { loop.unwatch(id) }
                let before = loop.wakeupCount
                loop.submit { woken.add(loop.wakeupCount - before) }
                loop.after(.zero) {
                    loop.submit {
                        loop.submit { woken.add(loop.wakeupCount - before) }
                    }
                }
            }
        }
        // The loop sleeps by now, or soon.
        let writer = FileDescriptor(owning: far)
        _ = try writer.duplicate().send([1])
        _ = writer.release()
        await woken.wait(for: 2)
        #expect(woken.all == [0, 0])
        await loop.stop()
        _ = consume pair
    }

    @Test func `jobs that make jobs are all done before the loop asks for descriptors`() async throws {
        let loop = try EventLoop()
        let log = Recorder<Int>()
        @Sendable func make(_ left: Int) {
            log.add(loop.pollCount)
            if left > 1 { loop.submit { make(left - 1) } }
        }
        loop.submit { make(10) }
        await log.wait(for: 10)
        #expect(Set(log.all).count == 1)
        await loop.stop()
    }

    @Test func `a job that makes another without end keeps neither descriptors nor timers waiting`() async throws {
        let loop = try EventLoop()
        let pair = try PacketPair()
        let (near, far) = (pair.near.rawValue, pair.far.rawValue)
        let log = Recorder<String>()
        @Sendable func makeOn() {
            if log.count < 2 { loop.submit { makeOn() } }
        }
        try await loop.run { () throws(LoopError) in
            var id: WatchID?
            id = try loop.watch(near, .read) { _ in
                log.add("watch")
                if let id { loop.unwatch(id) }
            }
            loop.after(.zero) { log.add("timer") }
            makeOn()
            let writer = FileDescriptor(owning: far)
            _ = try writer.duplicate().send([1])
            _ = writer.release()
        }
        await log.wait(for: 2)
        #expect(Set(log.all) == ["watch", "timer"])
        await loop.stop()
        _ = consume pair
    }

    @Test func `a loop counts the handlers of timers and descriptors that it calls`() async throws {
        let loop = try EventLoop()
        let pair = try PacketPair()
        let (near, far) = (pair.near.rawValue, pair.far.rawValue)
        let counts = Recorder<Int>()
        try await loop.run { () throws(LoopError) in
            var id: WatchID?
            id = try loop.watch(near, .read) { _ in
                counts.add(loop.handlerCount)
                if let id { loop.unwatch(id) }
            }
            for _ in 0..<2 { loop.after(.zero) { counts.add(loop.handlerCount) } }
            let writer = FileDescriptor(owning: far)
            _ = try writer.duplicate().send([1])
            _ = writer.release()
        }
        await counts.wait(for: 3)
        #expect(counts.all == [1, 2, 3])
        await loop.stop()
        _ = consume pair
    }
}
#endif
