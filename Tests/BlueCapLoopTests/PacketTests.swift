// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapLoop
import BlueCapPlatform
import BlueCapTestExecutor
import CBlueCapLinux
import Testing

extension FileDescriptor {
    /// Sends one packet; for tests.
    func send(_ packet: [UInt8]) throws(LoopError) -> Int32 {
        let status = unsafe packet.withUnsafeBufferPointer {
            unsafe bluecap_send_packet(rawValue, $0.baseAddress, $0.count)
        }
        return try FileDescriptor.checked(status, "send")
    }
}

@Suite(.timeLimit(.minutes(60)))
struct PacketTests {
    @Test func `packets arrive whole and in order, empty ones too, and then the end`() async throws {
        let loop = try EventLoop()
        let log = Recorder<[UInt8]?>()
        let ends = try RawPair()
        try await loop.run { () throws(LoopError) in
            _ = try PacketReader(
                FileDescriptor(owning: ends.near), on: loop, maximumLength: 20,
                onPacket: { log.add(Array($0)) },
                onClose: {
                    #expect($0 == nil); log.add(nil)
                })
            let far = FileDescriptor(owning: ends.far)
            for index in 0..<100 {
                _ = try far.send(Array(repeating: UInt8(index), count: index % 21))
            }
            _ = consume far
        }
        await log.wait(for: 101)
        let expected: [[UInt8]?] = (0..<100).map { Array(repeating: UInt8($0), count: $0 % 21) }
        #expect(log.all == expected + [nil])
        await loop.stop()
    }

    @Test func `a packet longer than the limit is skipped`() async throws {
        let loop = try EventLoop()
        let log = Recorder<[UInt8]>()
        let ends = try RawPair()
        let reader = try await loop.run { () throws(LoopError) -> Held<PacketReader> in
            let reader = try PacketReader(
                FileDescriptor(owning: ends.near), on: loop, maximumLength: 4,
                onPacket: { log.add(Array($0)) }, onClose: { _ in })
            let far = FileDescriptor(owning: ends.far)
            _ = try far.send([1, 2, 3, 4, 5])
            _ = try far.send([6])
            _ = far.release()
            return Held(reader)
        }
        await log.wait(for: 1)
        #expect(log.all == [[6]])
        await loop.run { reader.value.close() }
        close(ends.far)
        await loop.stop()
    }

    @Test func `a paused reader leaves packets to wait, and reads them when it resumes`() async throws {
        let loop = try EventLoop()
        let log = Recorder<[UInt8]>()
        let ends = try RawPair()
        let reader = try await loop.run { () throws(LoopError) -> Held<PacketReader> in
            let reader = try PacketReader(
                FileDescriptor(owning: ends.near), on: loop, onPacket: { log.add(Array($0)) }, onClose: { _ in })
            reader.pause()
            let far = FileDescriptor(owning: ends.far)
            _ = try far.send([1])
            _ = far.release()
            return Held(reader)
        }
        for _ in 0..<10 { await loop.run {} }
        #expect(log.all.isEmpty)
        await loop.run { reader.value.resume() }
        await log.wait(for: 1)
        #expect(log.all == [[1]])
        await loop.run { reader.value.close() }
        close(ends.far)
        await loop.stop()
    }

    @Test func `a full socket refuses a packet and tells when it takes more, and a closed one fails`() async throws {
        let loop = try EventLoop()
        let log = Recorder<String>()
        let ends = try RawPair()
        let writer = try await loop.run { () throws(LoopError) -> Held<PacketWriter> in
            let writer = try PacketWriter(FileDescriptor(owning: ends.near), on: loop) { log.add("closed") }
            let packet = [UInt8](repeating: 7, count: 512)
            while writer.send(packet) == .sent {}
            #expect(writer.send(packet) == .full)
            writer.whenWritable { log.add(writer.send(packet) == .sent ? "sent" : "not sent") }
            return Held(writer)
        }
        #expect(log.all.isEmpty)
        var buffer = [UInt8](repeating: 0, count: 512)
        while log.count == 0 {
            _ = unsafe recv(ends.far, &buffer, 512, Int32(MSG_DONTWAIT))
            await loop.run {}
        }
        close(ends.far)
        await log.wait(for: 2)
        #expect(log.all == ["sent", "closed"])
        #expect(await loop.run { writer.value.send([1]) } == .failed(errno: EBADF))
        await loop.stop()
    }

    @Test func `a channel sends off the loop as long as nothing waits and its writer is open`() async throws {
        let loop = try EventLoop()
        let ends = try RawPair()
        let writer = try await loop.run { () throws(LoopError) -> Held<PacketWriter> in
            Held(try PacketWriter(FileDescriptor(owning: ends.near), on: loop) {})
        }
        let channel = writer.value.channel
        func send(_ byte: UInt8) -> Bool {
            let packet = [byte]
            return unsafe packet.withUnsafeBytes { unsafe channel.send($0) }
        }
        var received: [UInt8] = []
        func receive() {
            var byte: UInt8 = 0
            while unsafe recv(ends.far, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { received.append(byte) }
        }
        #expect(send(1))
        channel.hold()
        #expect(!send(2))
        channel.release()
        #expect(send(3))
        while send(4) {}
        receive()
        // The packet that found no room may be waiting elsewhere.
        #expect(!send(5))
        channel.release()
        #expect(send(6))
        receive()
        #expect(received.prefix(3) == [1, 3, 4] && received.suffix(2) == [4, 6])
        await loop.run { writer.value.close() }
        #expect(!send(7))
        channel.release()
        #expect(!send(7))
        close(ends.far)
        await loop.stop()
    }
}

/// Two connected packet sockets as bare numbers, for closures that take one over.
struct RawPair {
    let near: Int32
    let far: Int32

    init() throws {
        var fds: [Int32] = [-1, -1]
        try #require(unsafe bluecap_packet_pair(&fds) == 0)
        (near, far) = (fds[0], fds[1])
    }
}

// SAFETY: the held value never changes, and checks itself that it is used on its loop.
/// Carries a value that belongs to a loop through a test, which touches it on that loop alone.
final class Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
#endif
