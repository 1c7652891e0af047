// SPDX-License-Identifier: MIT

#if Gateway && BlueZ && os(Linux)
import BlueCapLoop

/// The wait of an event loop for one socket, which may be another one after each connection.
struct SocketWatch {
    private let loop: EventLoop
    private var current: (id: WatchID, socket: Int32, isWriting: Bool)?

    init(_ loop: EventLoop) { self.loop = loop }

    var isWaiting: Bool { if case .some = current { true } else { false } }

    /// Waits until the socket is readable, and also until it is writable if that is wanted.
    mutating func follow(_ socket: Int32, isWriting: Bool, _ handler: @escaping @Sendable (Readiness) -> Void) {
        let interest: Interest = isWriting ? [.read, .write] : .read
        if let current, current.socket == socket {
            if current.isWriting != isWriting { loop.change(current.id, to: interest) }
            self.current?.isWriting = isWriting
            return
        }
        end()
        current = (try? loop.watch(socket, interest, handler)).map { ($0, socket, isWriting) }
    }

    mutating func end() {
        if let current { loop.unwatch(current.id) }
        current = nil
    }
}
#endif
