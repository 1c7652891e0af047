// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapKernel
package import BlueCapLoop
import BlueCapPlatform
import BlueCapRuntime

/// The kernel's channels as a test plays them, over pairs of sockets: the far ends are ``FakeChannel``.
///
/// A near end that connects is full, so that it cannot be written to, until the far end has answered.
package final class FakeChannels: ChannelSockets {
    fileprivate enum State {
        case opening
        case open(ChannelLengths)
        case failed(errno: Int32)
    }

    private struct Listener {
        let terms: ChannelTerms
        let psm: UInt16
        let far: Int32
        var waiting: [(descriptor: Int32, peer: KernelAddress, lengths: ChannelLengths)] = []
    }

    private struct Shared {
        /// By the numbers of the near ends.
        var states: [Int32: State] = [:]
        var peers: [Int32: KernelAddress] = [:]
        var listeners: [Int32: Listener] = [:]
        var refusal: Int32?
    }

    private let loop: EventLoop
    private let shared = Locked(Shared())
    private let onConnect: @Sendable (FakeChannel) -> Void

    /// - Parameters:
    ///   - loop: The thread of the far ends.
    ///   - onConnect: Takes each channel that the program opens, on the loop.
    package init(on loop: EventLoop, onConnect: @escaping @Sendable (FakeChannel) -> Void = { _ in }) {
        (self.loop, self.onConnect) = (loop, onConnect)
    }

    /// Has no socket opened from now on; nil for an end of that.
    package func refuse(_ errno: Int32?) { shared.withLock { $0.refusal = errno } }

    private func check() throws(LoopError) {
        if let code = shared.withLock({ $0.refusal }) { throw LoopError(call: "socket", errno: code) }
    }

    // MARK: Channels that the program opens

    package func connect(_ terms: ChannelTerms, to peer: KernelAddress) throws(LoopError) -> FileDescriptor {
        try check()
        let pair = try PacketPair()
        let near = try pair.near.duplicate()
        let far = try pair.far.duplicate().release()
        let raw = near.rawValue
        limitBuffer(raw)
        let fillers = fill(raw)
        shared.withLock { shared in
            shared.states[raw] = .opening
            shared.peers[raw] = peer
        }
        loop.submit { [self] in
            onConnect(
                FakeChannel(far, near: raw, terms: terms, peer: peer, of: self, on: loop, fillers: fillers))
        }
        return near
    }

    /// Few units wait in the socket, as few have credits.
    private func limitBuffer(_ descriptor: Int32) {
        var size: Int32 = 4_096
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns the number of packets with which a socket is full.
    private func fill(_ descriptor: Int32) -> Int {
        var byte: UInt8 = 0
        var count = 0
        while unsafe send(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1 { count += 1 }
        return count
    }

    fileprivate func set(_ state: State, of near: Int32) { shared.withLock { $0.states[near] = state } }

    package func failure(of channel: Int32) -> Int32 {
        shared.withLock { if case .failed(let errno) = $0.states[channel] { errno } else { 0 } }
    }

    package func lengths(of channel: Int32) throws(LoopError) -> ChannelLengths {
        let state = shared.withLock { $0.states[channel] }
        guard case .open(let lengths) = state else { throw LoopError(call: "getsockopt", errno: ENOTCONN) }
        return lengths
    }

    package func peer(of channel: Int32) throws(LoopError) -> KernelAddress {
        guard let peer = shared.withLock({ $0.peers[channel] }) else {
            throw LoopError(call: "getpeername", errno: ENOTCONN)
        }
        return peer
    }

    // MARK: Channels that the program takes

    package func listen(_ terms: ChannelTerms) throws(LoopError) -> FileDescriptor {
        try check()
        forgetClosed()
        let taken = Set(shared.withLock { $0.listeners.values.map(\.psm) })
        guard terms.psm == 0 || !taken.contains(terms.psm) else { throw LoopError(call: "bind", errno: EADDRINUSE) }
        let psm = terms.psm == 0 ? (UInt16(0x80)...0xFF).first { !taken.contains($0) } : terms.psm
        guard let psm else { throw LoopError(call: "bind", errno: EINVAL) }
        let pair = try PacketPair()
        let near = try pair.near.duplicate()
        let far = try pair.far.duplicate().release()
        let raw = near.rawValue
        shared.withLock { $0.listeners[raw] = Listener(terms: terms, psm: psm, far: far) }
        return near
    }

    /// Forgets the listeners that the program has closed.
    private func forgetClosed() {
        for (near, listener) in shared.withLock({ $0.listeners }) {
            var byte: UInt8 = 0
            guard unsafe recv(listener.far, &byte, 1, Int32(MSG_DONTWAIT)) == 0 else { continue }
            _ = systemClose(listener.far)
            for channel in listener.waiting { _ = systemClose(channel.descriptor) }
            shared.withLock { $0.listeners[near] = nil }
        }
    }

    package func psm(of listener: Int32) throws(LoopError) -> UInt16 {
        guard let psm = shared.withLock({ $0.listeners[listener]?.psm }) else {
            throw LoopError(call: "getsockname", errno: EBADF)
        }
        return psm
    }

    package func accept(from listener: Int32) throws(LoopError) -> FileDescriptor {
        var byte: UInt8 = 0
        _ = unsafe recv(listener, &byte, 1, Int32(MSG_DONTWAIT))
        let next = shared.withLock { shared in
            shared.listeners[listener].flatMap { $0.waiting.isEmpty ? nil : $0.waiting[0] }
        }
        guard let next else { throw LoopError(call: "accept", errno: EAGAIN) }
        shared.withLock { shared in
            shared.listeners[listener]?.waiting.removeFirst()
            shared.states[next.descriptor] = .open(next.lengths)
            shared.peers[next.descriptor] = next.peer
        }
        return FileDescriptor(owning: next.descriptor)
    }

    /// The terms on which the program takes channels on a PSM; nil where it takes none.
    package func terms(of psm: UInt16) -> ChannelTerms? {
        forgetClosed()
        return shared.withLock { $0.listeners.values.first { $0.psm == psm }?.terms }
    }

    /// Opens a channel to a PSM on which the program takes channels. On the loop of the far ends.
    ///
    /// - Parameters:
    ///   - psm: The PSM.
    ///   - peer: The device that opens it.
    ///   - length: The longest unit that the device takes.
    package func open(psm: UInt16, from peer: KernelAddress, takes length: Int = 2_048) throws(LoopError) -> FakeChannel
    {
        forgetClosed()
        guard let (key, listener) = shared.withLock({ shared in shared.listeners.first { $0.value.psm == psm } }) else {
            throw LoopError(call: "connect", errno: ECONNREFUSED)
        }
        let pair = try PacketPair()
        let (near, far) = (try pair.near.duplicate().release(), try pair.far.duplicate().release())
        limitBuffer(near)
        let channel = FakeChannel(far, near: near, terms: listener.terms, peer: peer, of: self, on: loop)
        let lengths = ChannelLengths(sent: length, received: Int(listener.terms.receiveLength))
        try channel.begin(length)
        shared.withLock { $0.listeners[key]?.waiting.append((near, peer, lengths)) }
        var byte: UInt8 = 0
        _ = unsafe send(listener.far, &byte, 1, Int32(MSG_DONTWAIT))
        return channel
    }
}

// SAFETY: only touched on its loop.
/// The far end of a channel, which a test plays. On its loop only.
package final class FakeChannel: @unchecked Sendable {
    /// The program's terms.
    package let terms: ChannelTerms
    /// The device at this end.
    package let peer: KernelAddress
    private let near: Int32
    private let owner: FakeChannels
    private let loop: EventLoop
    /// The number of packets with which the near end was filled. It can be written to before the last is taken out.
    private let fillers: Int
    private var descriptor: FileDescriptor?
    private var reader: PacketReader?
    private var writer: PacketWriter?
    private var outgoing: [[UInt8]] = []
    private var drained: [() -> Void] = []
    package var onUnit: ([UInt8]) -> Void = { _ in }
    package var onClose: () -> Void = {}

    fileprivate init(
        _ far: Int32, near: Int32, terms: ChannelTerms, peer: KernelAddress, of owner: FakeChannels, on loop: EventLoop,
        fillers: Int = 0
    ) {
        self.fillers = fillers
        (self.near, self.terms, self.peer, self.owner, self.loop) = (near, terms, peer, owner, loop)
        descriptor = FileDescriptor(owning: far)
    }

    /// Opens the channel that the program asks for.
    ///
    /// - Parameter length: The longest unit that this end takes.
    package func accept(takes length: Int = 2_048) throws(LoopError) {
        owner.set(.open(ChannelLengths(sent: length, received: Int(terms.receiveLength))), of: near)
        empty()
        try begin(length)
    }

    /// Ends the attempt of the program.
    package func refuse(_ errno: Int32) {
        owner.set(.failed(errno: errno), of: near)
        empty()
        descriptor = nil
    }

    /// Takes out what the near end was filled with.
    private func empty() {
        var byte: UInt8 = 0
        guard let raw = descriptor?.rawValue else { return }
        for _ in 0..<fillers { _ = unsafe recv(raw, &byte, 1, Int32(MSG_DONTWAIT)) }
    }

    fileprivate func begin(_ length: Int) throws(LoopError) {
        guard let raw = descriptor?.rawValue else { return }
        let copy = try FileDescriptor.duplicate(of: raw)
        writer = try PacketWriter(copy, on: loop, onClose: { self.closed() })
        let other = try FileDescriptor.duplicate(of: raw)
        reader = try PacketReader(
            other, on: loop, maximumLength: length, onPacket: { self.onUnit(Array($0)) },
            onClose: { _ in self.closed() })
        descriptor = nil
    }

    /// Takes no more units until ``resume()``.
    package func pause() { reader?.pause() }

    package func resume() { reader?.resume() }

    /// Sends a unit behind those that wait; `sent` is called when it is in the socket.
    package func send(_ unit: [UInt8], sent: @escaping () -> Void = {}) {
        outgoing.append(unit)
        drained.append(sent)
        if outgoing.count == 1 { sendOn() }
    }

    private func sendOn() {
        while let unit = outgoing.first, let writer {
            switch writer.send(unit) {
            case .sent:
                outgoing.removeFirst()
                drained.removeFirst()()
            case .full: return writer.whenWritable { self.sendOn() }
            case .failed: return
            }
        }
    }

    package var isOpen: Bool { writer?.isOpen == true }

    /// Closes the channel, or has it fail at the program with an error of the kernel's.
    package func close(failure: Int32? = nil) {
        if let failure { owner.set(.failed(errno: failure), of: near) }
        reader?.close()
        writer?.close()
        descriptor = nil
        (reader, writer, outgoing, drained) = (nil, nil, [], [])
    }

    private func closed() {
        guard writer != nil else { return }
        close()
        onClose()
    }
}
#endif
