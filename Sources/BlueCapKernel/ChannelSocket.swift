// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop
import BlueCapPlatform
package import BlueCapSerDe
import CBlueCapLinux

/// A connection-oriented channel, from the beginning of its opening to its end. Loop only.
///
/// It receives as many units as its owner allows: the others wait in the kernel, which gives the peer no more credits
/// then. Until ``close()`` or its end the loop keeps it alive.
package final class ChannelSocket {
    package enum Event: Sendable, Equatable {
        /// The channel is open.
        case opened(ChannelLengths)
        /// The unit that waited has gone out.
        case sent
        /// The unit that waited does not go out: the channel is at its end, which is reported behind its last unit.
        case notSent(errno: Int32)
        case ended(End)
    }

    package enum End: Sendable, Equatable {
        /// The peer has closed the channel.
        case closedByPeer
        /// `ECONNREFUSED` for a channel that the peer refused; `ECONNRESET` for one whose peer broke its rules or ended
        /// the link, `ETIMEDOUT` for a link that was lost, `ECONNABORTED` for an adapter that is gone; `EMSGSIZE` for a
        /// unit that is longer than agreed.
        case failed(errno: Int32)
    }

    /// The state of a unit that is to be sent.
    package enum Sending: Sendable, Equatable {
        /// The kernel has it.
        case sent
        /// ``Event/sent`` comes, or ``Event/notSent(errno:)``, or the end.
        case waits
        /// It was not taken, and the channel goes on.
        case refused(errno: Int32)
    }

    /// How often a channel that opens is looked at: one whose peer gives no credits yet cannot be written to.
    private static let look: Duration = .milliseconds(250)

    private enum Phase {
        case opening, open
        /// No unit goes out any more; those that have arrived are still taken.
        case ending
        case over
    }

    private let loop: EventLoop
    private let sockets: any ChannelSockets
    private let buffer: ChannelBuffer
    private let unitLength: Int
    private let onUnit: (Bytes) -> Void
    private let onEvent: (Event) -> Void
    private var descriptor: FileDescriptor?
    private var watch: WatchID?
    private var timer: TimerID?
    /// The readiness that the watch waits for.
    private var interest: Interest = []
    private var phase = Phase.opening
    private var allowance = 0
    /// The unit that waits for room.
    private var outgoing: Bytes?
    /// The first error of the socket, which it gives but once.
    private var failure: Int32?
    /// Whether reading has failed, behind which units may still wait.
    private var hasFailedToRead = false

    /// Goes on with a channel that opens or is open. Events come later, never before this returns.
    ///
    /// - Parameters:
    ///   - descriptor: A socket that connects or is connected.
    ///   - isOpening: Whether it connects.
    ///   - unitLength: The longest unit that is received.
    ///   - place: Where the socket is from.
    ///   - onUnit: Takes the units in their order.
    ///   - onEvent: Takes all else; nothing after the end.
    package init(
        _ descriptor: consuming FileDescriptor, isOpening: Bool, unitLength: Int, at place: ChannelPlace,
        onUnit: @escaping (Bytes) -> Void, onEvent: @escaping (Event) -> Void
    ) throws(LoopError) {
        let raw = descriptor.rawValue
        (loop, sockets, buffer, self.unitLength) = (place.loop, place.sockets, place.buffer, unitLength)
        (self.onUnit, self.onEvent) = (onUnit, onEvent)
        self.descriptor = consume descriptor
        phase = isOpening ? .opening : .open
        interest = isOpening ? .write : []
        watch = try loop.watch(raw, interest) { [self] in handle($0) }
        if isOpening { lookLater() }
    }

    /// Takes this many more units.
    package func allow(_ count: Int) {
        loop.preconditionOnLoop()
        allowance += count
        renewWatch()
    }

    /// Sends a unit, one at a time.
    package func send(_ unit: Bytes) -> Sending {
        loop.preconditionOnLoop()
        guard phase == .open, outgoing == nil, let raw = descriptor?.rawValue else {
            return .refused(errno: failure ?? ENOTCONN)
        }
        switch Self.send(unit, raw) {
        case 0: return .sent
        case EAGAIN:
            outgoing = unit
            renewWatch()
            return .waits
        case let code where Self.isOfUnit(code): return .refused(errno: code)
        case let code:
            outgoing = unit
            loop.runLater { [self] in beginEnd(code) }
            return .waits
        }
    }

    /// Takes the units that have arrived already, as many as are allowed, for an owner that is about to close.
    package func drain() {
        loop.preconditionOnLoop()
        if phase == .open || phase == .ending { receive(isEnding: false) }
    }

    /// Closes the channel; units that have not gone out are dropped, and nothing is reported.
    package func close() {
        loop.preconditionOnLoop()
        if let watch { loop.unwatch(watch) }
        if let timer { loop.cancel(timer) }
        (watch, timer, outgoing, phase) = (nil, nil, nil, .over)
        descriptor = nil
    }

    private static func send(_ unit: Bytes, _ descriptor: Int32) -> Int32 {
        -(unsafe unit.withUnsafeBuffer { bytes in
            unsafe bluecap_send_packet(descriptor, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        })
    }

    /// Whether an error is about a unit, and not about its channel.
    private static func isOfUnit(_ code: Int32) -> Bool { [EMSGSIZE, ENOMEM, ENOBUFS, EINVAL].contains(code) }

    // MARK: Readiness

    private func handle(_ ready: Readiness) {
        if phase == .opening { return opened() }
        if ready.contains(.hangup), allowance == 0 { return beginEnd(failure ?? telling()) }
        if ready.contains(.hangup) || ready.contains(.read) { receive(isEnding: ready.contains(.hangup)) }
        if ready.contains(.write) { sendOn() }
    }

    private func opened() {
        guard let raw = descriptor?.rawValue else { return }
        let code = sockets.failure(of: raw)
        if code != 0 { return end(.failed(errno: code)) }
        do throws(LoopError) {
            begin(try sockets.lengths(of: raw))
        } catch {
            end(.failed(errno: error.errno))
        }
    }

    private func begin(_ lengths: ChannelLengths) {
        if let timer { loop.cancel(timer) }
        (timer, phase) = (nil, .open)
        renewWatch()
        onEvent(.opened(lengths))
    }

    private func lookLater() {
        timer = loop.after(Self.look) { [weak self] in
            guard let self, phase == .opening, let raw = descriptor?.rawValue else { return }
            // It has none until it is open.
            if let lengths = try? sockets.lengths(of: raw) { begin(lengths) } else { lookLater() }
        }
    }

    private func sendOn() {
        guard phase == .open, let unit = outgoing, let raw = descriptor?.rawValue else { return }
        switch Self.send(unit, raw) {
        case EAGAIN: return
        case 0:
            outgoing = nil
            renewWatch()
            onEvent(.sent)
        case let code where Self.isOfUnit(code):
            outgoing = nil
            renewWatch()
            onEvent(.notSent(errno: code))
        case let code: beginEnd(code)
        }
    }

    /// Has the loop wait as is needed now. A socket that has hung up is reported over and over, so it is not watched
    /// while its units may not be taken.
    private func renewWatch() {
        guard let raw = descriptor?.rawValue, phase == .open || phase == .ending else { return }
        if phase == .ending {
            if allowance > 0 { loop.runLater { [self] in receive(isEnding: true) } }
            return
        }
        var wanted: Interest = allowance > 0 ? .read : []
        if outgoing != nil { wanted.insert(.write) }
        if wanted == interest, watch != nil { return }
        interest = wanted
        if let watch { return loop.change(watch, to: wanted) }
        watch = try? loop.watch(raw, wanted) { [self] in handle($0) }
    }

    // MARK: Receiving

    private func receive(isEnding: Bool) {
        while allowance > 0, let raw = descriptor?.rawValue {
            let room = min(allowance, ChannelBuffer.capacity(for: unitLength))
            switch buffer.receive(from: raw, unitLength: unitLength, count: room) {
            case .failed(let code):
                failure = failure ?? code
                // The units that came before the error are still there.
                if hasFailedToRead { return end(.failed(errno: failure ?? code)) }
                hasFailedToRead = true
            case .ended: return end(closing(raw))
            case .units(let count):
                for index in 0..<count {
                    guard let unit = buffer.unit(index) else { return end(.failed(errno: EMSGSIZE)) }
                    allowance -= 1
                    onUnit(unit)
                    // A handler may have closed this.
                    if descriptor == nil { return }
                }
                if count == room { continue }
                if isEnding || failure != nil || phase == .ending {
                    if count > 0 { continue }
                    return end(.failed(errno: failure ?? telling()))
                }
                return renewWatch()
            }
        }
        if phase == .open, isEnding || failure != nil { return beginEnd(failure ?? telling()) }
        renewWatch()
    }

    /// The socket's error; `ENOTCONN` where it has none.
    private func telling() -> Int32 {
        guard let raw = descriptor?.rawValue else { return ENOTCONN }
        let code = sockets.failure(of: raw)
        return code == 0 ? ENOTCONN : code
    }

    /// The end of a socket from which nothing more can come, as its peer has closed the channel: the kernel has
    /// reported that as a reset before.
    private func closing(_ raw: Int32) -> End {
        let untold = sockets.failure(of: raw)
        if untold != 0 { return .failed(errno: untold) }
        guard let failure, ![ECONNRESET, ENOTCONN, EPIPE].contains(failure) else { return .closedByPeer }
        return .failed(errno: failure)
    }

    // MARK: Ending

    /// Nothing goes out any more; the end is reported behind the units that have arrived.
    private func beginEnd(_ code: Int32) {
        guard phase == .open, descriptor != nil else { return }
        phase = .ending
        failure = failure ?? code
        if let watch { loop.unwatch(watch) }
        watch = nil
        if allowance > 0 { return receive(isEnding: true) }
        guard outgoing != nil else { return }
        outgoing = nil
        onEvent(.notSent(errno: failure ?? code))
    }

    private func end(_ end: End) {
        close()
        onEvent(.ended(end))
    }
}
#endif
