// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapLoop
import BlueCapPlatform

/// The daemon's end of a socket that it has handed out.
final class SocketEnd {
    private let descriptor: Int32
    private var isOpen = true

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor.release() }

    deinit { close() }

    func close() {
        if isOpen { _ = systemClose(descriptor) }
        isOpen = false
    }

    func send(_ bytes: [UInt8]) throws {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { throw Unexpected("errno \(errno)") }
    }

    /// The next packet, which is there already; empty when the other end is closed.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 600)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        guard count >= 0 else { throw Unexpected("errno \(errno)") }
        return Array(buffer[..<count])
    }

    /// Whether the other end is closed, for which it has ten minutes: it was handed over, and other threads may hold
    /// copies of it for a moment.
    func isClosed() throws -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&state, 1, 600_000)
        return try receive().isEmpty
    }
}

extension StubBlueZ {
    /// Answers an Acquire call with one end of a new socket.
    func hand(_ call: StubCall, mtu: UInt16) async throws -> sending SocketEnd {
        let pair = try PacketPair()
        let copy = try pair.far.duplicate().release()
        await run { _ in
            let descriptor = FileDescriptor(owning: copy)
            call.call.reply { builder throws(DBusError) in
                try builder.append(descriptor)
                try builder.append(.uint16(mtu))
            }
        }
        return SocketEnd(try pair.near.duplicate())
    }
}
#endif
