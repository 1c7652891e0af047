// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import CBlueCapLinux

/// Writes packets to a SEQPACKET socket, such as that of AcquireWrite, on the loop. Loop only.
package final class PacketWriter {
    package enum Outcome: Sendable, Equatable {
        case sent
        /// The socket is full and the packet was not taken: try again in `whenWritable`.
        case full
        /// The peer has closed, or the system refused the packet with this `errno`.
        case failed(errno: Int32)
    }

    private let loop: EventLoop
    private var descriptor: FileDescriptor?
    /// Sends to the same socket, from any thread, until this writer closes.
    package let channel: PacketChannel
    private var watch: WatchID?
    private var waiters: [(ready: () -> Void, closed: () -> Void)] = []
    private let onClose: () -> Void

    /// Takes over the descriptor. `onClose` is called once when the peer closes, but not for `close()`.
    package init(
        _ descriptor: consuming FileDescriptor, on loop: EventLoop, onClose: @escaping () -> Void
    ) throws(LoopError) {
        let raw = descriptor.rawValue
        self.loop = loop
        channel = PacketChannel(raw)
        self.descriptor = consume descriptor
        self.onClose = onClose
        watch = try loop.watch(raw, []) { [self] ready in handle(ready) }
    }

    package var isOpen: Bool { watch != nil }

    package func send(_ packet: [UInt8]) -> Outcome {
        loop.preconditionOnLoop()
        guard watch != nil, let raw = descriptor?.rawValue else { return .failed(errno: EBADF) }
        let status = unsafe packet.withUnsafeBufferPointer { unsafe bluecap_send_packet(raw, $0.baseAddress, $0.count) }
        switch -status {
        case 0: return .sent
        case EAGAIN: return .full
        case let code: return .failed(errno: code)
        }
    }

    /// Calls `body` once when the socket takes packets again, or `closed` when it closes first.
    package func whenWritable(_ body: @escaping () -> Void, closed: @escaping () -> Void = {}) {
        loop.preconditionOnLoop()
        guard let watch else { return closed() }
        waiters.append((body, closed))
        loop.change(watch, to: .write)
    }

    /// Closes the descriptor. Until then, or until the peer closes, the loop keeps this object alive.
    package func close() {
        loop.preconditionOnLoop()
        if let watch { loop.unwatch(watch) }
        watch = nil
        channel.close()
        descriptor = nil
        let all = waiters
        waiters = []
        for waiter in all { waiter.closed() }
    }

    private func handle(_ ready: Readiness) {
        if ready.contains(.hangup) {
            close()
            onClose()
            return
        }
        guard ready.contains(.write), let watch else { return }
        loop.change(watch, to: [])
        let all = waiters
        waiters = []
        for waiter in all { waiter.ready() }
    }
}
#endif
