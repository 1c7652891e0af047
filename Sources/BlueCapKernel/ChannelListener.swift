// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop
import BlueCapPlatform

/// A channel that a peer has opened.
package struct AcceptedChannel: Sendable {
    package let peer: KernelAddress
    /// The PSM to which it was opened.
    package let psm: UInt16
    package let lengths: ChannelLengths
}

/// Takes the channels that peers open to a PSM of one adapter's address. Loop only.
package final class ChannelListener {
    /// How long to wait where the process has no room for another descriptor.
    private static let pause: Duration = .seconds(1)

    /// The PSM, also of one that the kernel chose.
    package let psm: UInt16
    private let loop: EventLoop
    private let sockets: any ChannelSockets
    private var descriptor: FileDescriptor?
    private var watch: WatchID?
    private let onChannel: (consuming FileDescriptor, AcceptedChannel) -> Void

    /// Begins to take channels. `onChannel` gets each, never before this returns.
    ///
    /// - Throws: The reason of the system: `EADDRINUSE` for a PSM on which channels are taken already, `EINVAL` where
    ///   all are in use, `EAFNOSUPPORT` where there is no Bluetooth.
    package init(
        _ terms: ChannelTerms, at place: ChannelPlace,
        onChannel: @escaping (consuming FileDescriptor, AcceptedChannel) -> Void
    ) throws(LoopError) {
        let descriptor = try place.sockets.listen(terms)
        psm = try place.sockets.psm(of: descriptor.rawValue)
        (loop, sockets, self.onChannel) = (place.loop, place.sockets, onChannel)
        self.descriptor = consume descriptor
        try listen()
    }

    /// Takes no channel from now on; those that were not taken yet are closed.
    package func close() {
        loop.preconditionOnLoop()
        stop()
        descriptor = nil
    }

    private func listen() throws(LoopError) {
        guard watch == nil, let raw = descriptor?.rawValue else { return }
        watch = try loop.watch(raw, .read) { [weak self] ready in
            // A listener that is broken would be reported over and over.
            if ready.contains(.hangup) { self?.stop() } else { self?.accept() }
        }
    }

    private func stop() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    private func accept() {
        guard let raw = descriptor?.rawValue else { return }
        do throws(LoopError) {
            let channel = try sockets.accept(from: raw)
            let raw = channel.rawValue
            // One that tells neither has ended meanwhile.
            guard let peer = try? sockets.peer(of: raw), let lengths = try? sockets.lengths(of: raw) else { return }
            onChannel(channel, AcceptedChannel(peer: peer, psm: psm, lengths: lengths))
        } catch {
            // A peer that has gone again. Anything else would be reported again at once.
            if [EAGAIN, EINTR, ECONNABORTED].contains(error.errno) { return }
            stop()
            loop.after(Self.pause) { [weak self] in try? self?.listen() }
        }
    }
}
#endif
