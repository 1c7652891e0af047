// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPlatform
import BlueCapPrivateBus
import BlueCapTestExecutor
import Testing

/// Messages that the socket does not take at once.
@Suite(.timeLimit(.minutes(60)))
struct FrameSenderTests {
    /// Both ends of a stream.
    private struct Ends: ~Copyable {
        var near: FileDescriptor
        var far: FileDescriptor

        init() throws(DBusError) {
            var pair: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let status = unsafe socketpair(AF_UNIX, type, 0, &pair)
            guard status == 0 else { throw .system(call: "socketpair", errno: errno) }
            near = FileDescriptor(owning: pair[0])
            far = FileDescriptor(owning: pair[1])
        }
    }

    /// A signal whose body is a number, and so many bytes; every third has two descriptors.
    private static func frame(_ number: Int, size: Int) throws(DBusError) -> Frame {
        var builder = try MessageBuilder.signal(path: "/a", interface: "a.b", member: "C")
        try builder.append(.uint32(UInt32(number)))
        try builder.append(.bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)))
        if number % 3 == 0 {
            let pair = try DBusError.translating(PacketPair.init)
            try builder.append(pair.near)
            try builder.append(pair.far)
        }
        var frame = builder.finish().frame
        frame.bytes.put(UInt32(number + 1), at: FramePrefix.serial)
        return frame
    }

    /// Hands received frames to a function.
    private final class Reader: MessageReceiver {
        private let onFrame: (Frame) throws(DBusError) -> Void

        init(_ onFrame: @escaping (Frame) throws(DBusError) -> Void) { self.onFrame = onFrame }

        func receive(_ frame: Frame) throws(DBusError) { try onFrame(frame) }

        func ended(_ error: DBusError) {}
    }

    @Test
    func `messages that wait for room come whole and in order, each with its descriptors, and none stays open here`()
        async
    {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let descriptors = await Process.descriptorsAtFirst()
            let count = 400
            let seen = Recorder<Bool>()
            try await loop.run { () throws in
                let ends = try Ends()
                let sender = FrameSender(try ends.near.duplicate(), on: loop)
                // Far more than a socket holds.
                for number in 0..<count { sender.send(try Self.frame(number, size: number % 7 * 5000)) }
                _ = try FrameReceiver(
                    try ends.far.duplicate(), on: loop,
                    for: Reader { frame throws(DBusError) in
                        let number = seen.count
                        let body = try Message(frame).body()
                        let value = [UInt8](
                            repeating: UInt8(truncatingIfNeeded: number), count: number % 7 * 5000)
                        let expected = number % 3 == 0 ? 2 : 0
                        seen.add(
                            Array(body.prefix(2)) == [.uint32(UInt32(number)), .bytes(value)]
                                && frame.header.serial == UInt32(number + 1) && frame.descriptors.count == expected)
                        if number + 1 == count { sender.close() }
                    }, onEnd: { _ in })
            }
            await seen.wait(for: count)
            #expect(!seen.all.contains(false))
            // The receiver ends with its peer.
            #expect(await Process.settles { Process.descriptorCount <= descriptors })
            await loop.stop()
        }
    }

    @Test func `where writing fails, what has come is read before the end`() async throws {
        let loop = try EventLoop()
        let log = Recorder<String>()
        try await loop.run { () throws in
            let ends = try Ends()
            // The far end has sent a message and does not read any more.
            FrameSender(try ends.far.duplicate(), on: loop).send(try Self.frame(1, size: 1))
            shutdown(ends.far.rawValue, Int32(SHUT_RD))
            FrameSender(try ends.near.duplicate(), on: loop).send(try Self.frame(2, size: 1))
            _ = try FrameReceiver(
                try ends.near.duplicate(), on: loop, for: Reader { log.add("message \($0.header.serial)") },
                onEnd: { log.add("\($0)") })
        }
        await log.wait(for: 2)
        #expect(log.all == ["message 2", "\(DBusError.disconnected)"])
        await loop.stop()
    }
}
#endif
