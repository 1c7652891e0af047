// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import BlueCapRuntime

/// A socket that sends and receives whole frames, with a thread that reads.
///
/// Frames for a peer that does not read stay in memory up to ``capacity``; then the connection ends. Those of a peer
/// are read no faster than they are taken.
final class FramePort: FrameChannel {
    /// Takes frames in order, and calls `done` when the next may be read; from any thread.
    typealias Receive = @Sendable (_ arrivals: [FrameArrival], _ done: @escaping @Sendable () -> Void) -> Void

    private static let capacity = 4 << 20
    private static let slowByteCount = 1 << 18
    private static let readByteCount = 1 << 16

    private struct Outgoing {
        var isOpen = true
        /// Not taken by the system yet.
        var bytes: [UInt8] = []
        /// Whether a thread waits for the system to take more.
        var isWaiting = false
    }

    /// The reading thread's step.
    private enum Reading {
        case reading
        /// It waits until the frames are taken.
        case handing
        case over
    }

    private let socket: UnixSocket
    private let receive: Receive
    private let outgoing = Locked(Outgoing())
    private let reading = Condition(Reading.reading)

    init(_ socket: UnixSocket, receive: @escaping Receive) {
        (self.socket, self.receive) = (socket, receive)
    }

    deinit { close() }

    var isSlow: Bool { outgoing.withLock { $0.bytes.count > Self.slowByteCount } }

    func send(_ frame: [UInt8]) {
        let (isFull, begins) = outgoing.withLock { outgoing in
            guard outgoing.isOpen else { return (false, false) }
            for shift in stride(from: 0, to: 32, by: 8) {
                outgoing.bytes.append(UInt8(truncatingIfNeeded: frame.count >> shift))
            }
            outgoing.bytes += frame
            let wasWaiting = outgoing.isWaiting
            if !wasWaiting { write(&outgoing) }
            return (outgoing.bytes.count > Self.capacity, !wasWaiting && outgoing.isWaiting)
        }
        if isFull {
            close()
            receive([.ended(.tooSlow)], {})
        } else if begins {
            // The thread ends with the wait, or the socket.
            ThreadIdentity.startDetached { [weak self, socket] in
                repeat { socket.waitForRoom() } while self?.writeMore() == true
            }
        }
    }

    /// Sends as much as the system takes.
    private func write(_ outgoing: inout Outgoing) {
        var count = 0
        while count < outgoing.bytes.count {
            let sent = socket.send(outgoing.bytes[count...])
            // A part of a frame may be lost: the reading thread finds the connection ended.
            if sent < 0 {
                socket.end()
                count = outgoing.bytes.count
            }
            if sent <= 0 { break }
            count += sent
        }
        outgoing.bytes.removeFirst(count)
        outgoing.isWaiting = !outgoing.bytes.isEmpty
    }

    /// Whether there is still more.
    private func writeMore() -> Bool {
        outgoing.withLock { outgoing in
            guard outgoing.isOpen else { return false }
            write(&outgoing)
            return outgoing.isWaiting
        }
    }

    func close() {
        let wasOpen = outgoing.withLock { outgoing in
            defer { (outgoing.isOpen, outgoing.bytes) = (false, []) }
            return outgoing.isOpen
        }
        guard wasOpen else { return }
        socket.end()
        reading.withLock { $0 = .over }
        reading.signal()
    }

    // MARK: Reading

    /// Begins to read.
    func start() {
        ThreadIdentity.startDetached { [weak self, socket, reading] in
            var splitter = FrameSplitter()
            var buffer = [UInt8](repeating: 0, count: Self.readByteCount)
            while true {
                let count = socket.receive(&buffer)
                splitter.append(buffer[..<count])
                let (arrivals, isOver) = Self.arrivals(&splitter, isEnd: count == 0)
                if arrivals.isEmpty { continue }
                guard self?.hand(arrivals) == true else { return }
                if isOver { return self?.close() ?? () }
                reading.wait(atMost: nil) { $0 == .handing }
            }
        }
    }

    /// The whole frames that have come, and the end.
    private static func arrivals(_ splitter: inout FrameSplitter, isEnd: Bool) -> ([FrameArrival], isOver: Bool) {
        if isEnd { return ([.ended(nil)], true) }
        var arrivals: [FrameArrival] = []
        do throws(JournalFailure) {
            while let frame = try splitter.next() { arrivals.append(.frame(frame)) }
        } catch {
            return (arrivals + [.ended(.malformed)], true)
        }
        return (arrivals, false)
    }

    /// Whether the connection was still open.
    private func hand(_ arrivals: [FrameArrival]) -> Bool {
        let isOpen = reading.withLock { reading in
            if reading == .over { return false }
            reading = .handing
            return true
        }
        guard isOpen else { return false }
        receive(arrivals) { [reading] in
            reading.withLock { if $0 == .handing { $0 = .reading } }
            reading.signal()
        }
        return true
    }
}
#endif
