// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop
import BlueCapPlatform
import CBlueCapLinux

/// Reads messages from a stream socket, on the loop. Loop only.
///
/// Each turn reads once, as much as has come, and hands out the whole messages among it in order. A peer that breaks
/// D-Bus's rules is not read any further.
final class FrameReceiver {
    /// So many messages are handed out before other work of the loop gets its turn.
    private static let messagesInTurn = 256

    private let loop: EventLoop
    private var descriptor: FileDescriptor?
    private var watch: WatchID?
    private var inbox = Inbox()
    private var descriptorRoom = [Int32](repeating: -1, count: DescriptorQueue.limit)
    /// Whether messages wait for the next turn.
    private var hasBacklog = false
    /// Nil once this is closed.
    private var receiver: (any MessageReceiver)?
    private let onEnd: (DBusError) -> Void

    /// Takes over the descriptor and starts to read. The receiver gets every message of a known type, but not the end;
    /// `onEnd` is called once, but not for `close()`: with `.disconnected` when the peer has closed, `.malformed` when
    /// it broke the rules.
    ///
    /// Throws when the descriptor cannot be watched.
    init(
        _ descriptor: consuming FileDescriptor, on loop: EventLoop,
        for receiver: any MessageReceiver, onEnd: @escaping (DBusError) -> Void
    ) throws(LoopError) {
        let raw = descriptor.rawValue
        self.loop = loop
        self.descriptor = consume descriptor
        self.receiver = receiver
        self.onEnd = onEnd
        watch = try loop.watch(raw, .read) { [self] _ in
            if !hasBacklog { receive() }
        }
    }

    private var isOpen: Bool { descriptor != nil }

    /// Ends reading and closes the descriptor. Until then, or until the peer closes, the loop keeps this object alive.
    func close() {
        loop.preconditionOnLoop()
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor = nil
        receiver = nil
        inbox.descriptors = DescriptorQueue()
    }

    private func receive() {
        guard let raw = descriptor?.rawValue else { return }
        var count: Int32 = 0
        let status = unsafe descriptorRoom.withUnsafeMutableBufferPointer { places in
            unsafe inbox.splitter.receive { room in
                unsafe bluecap_receive_stream(raw, room.baseAddress, room.count, places.baseAddress, &count)
            }
        }
        switch status {
        case -Int(EAGAIN), -Int(EINTR): return
        case 0, -Int(ECONNRESET): return end(.disconnected)
        case ..<0: return end(.system(call: "recvmsg", errno: Int32(-status)))
        default: break
        }
        do throws(DBusError) {
            if count > 0 { try inbox.descriptors.add(descriptorRoom[..<Int(count)]) }
            try handOut()
        } catch {
            end(error)
        }
    }

    private func handOut() throws(DBusError) {
        for _ in 0..<Self.messagesInTurn {
            // A handler may have closed this receiver.
            guard isOpen else { return }
            guard let frame = try inbox.next() else { return }
            try receiver?.receive(frame)
        }
        hasBacklog = true
        loop.runLater { [self] in
            hasBacklog = false
            guard isOpen else { return }
            do throws(DBusError) { try handOut() } catch { end(error) }
        }
    }

    private func end(_ error: DBusError) {
        guard isOpen else { return }
        close()
        onEnd(error)
    }
}

/// The received bytes that were not handed out, in one place: each of its functions is one access, for which the
/// runtime looks whether another is under way.
private struct Inbox: ~Copyable {
    var splitter = FrameSplitter()
    var headers = HeaderReader()
    var descriptors = DescriptorQueue()

    /// The next whole message of a known type; nil when more must come first. Throws `.malformed` when the received
    /// bytes break the rules.
    mutating func next() throws(DBusError) -> Frame? {
        while let place = try splitter.next() {
            let received = splitter.bytes
            let header = try headers.read(received.span.extracting(place))
            let own = try descriptors.take(header.descriptorCount)
            guard header.kind != nil else { continue }
            return Frame(bytes: received, place: place, header: header, descriptors: own, shape: headers.shape)
        }
        // They come with a message's first byte.
        guard !splitter.isEmpty || descriptors.isEmpty else { throw .malformed("descriptors of no message") }
        return nil
    }
}
#endif
