// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapLoop
import BlueCapTestExecutor
import Testing

@Suite("The pauses of a loop", .timeLimit(.minutes(60)))
struct PauseTests {
    /// Longer than a test takes.
    private static let pause = Duration.seconds(3600)

    @Test func `work that comes in a pause wakes nobody, and is done at the end`() async throws {
        let loop = try EventLoop()
        await loop.run { loop.pause(for: Self.pause) }
        let before = loop.wakeupCount
        let log = Recorder<Int>()
        for index in 0..<100 { loop.submit { log.add(index) } }
        #expect(loop.wakeupCount == before)
        await loop.stop()
        #expect(log.all == Array(0..<100))
    }

    @Test func `a timer fires in a pause`() async throws {
        let loop = try EventLoop()
        let log = Recorder<Bool>()
        await loop.run {
            loop.after(.milliseconds(1)) { log.add(true) }
            loop.pause(for: Self.pause)
        }
        await log.wait(for: 1)
        await loop.stop()
    }

    @Test func `descriptors that are ready are read to their ends before a pause`() async throws {
        let loop = try EventLoop()
        let pair = try PacketPair()
        let (near, far) = (pair.near.rawValue, pair.far.rawValue)
        let log = Recorder<UInt8>()
        try await loop.run { () throws(LoopError) in
            loop.moderate(by: Self.pause)
            let reading = FileDescriptor(owning: near)
            let writing = FileDescriptor(owning: far)
            _ = try PacketReader(reading.duplicate(), on: loop, onPacket: { log.add($0.first ?? 0) }, onClose: { _ in })
            for packet in UInt8.min..<50 { _ = try writing.send([packet]) }
            _ = (reading.release(), writing.release())
        }
        await log.wait(for: 50)
        #expect(log.all == Array(0..<50))
        await loop.stop()
        _ = consume pair
    }
}
#endif
