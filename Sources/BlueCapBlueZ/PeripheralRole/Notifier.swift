// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Who is subscribed to one characteristic, and the ways to them. Loop only.
final class Notifier {
    /// One subscriber with a socket of its own.
    struct Socket {
        let number: Int
        var device: String?
        var central: Central
        let writer: PacketWriter
    }

    /// The object's path.
    let path: String
    var sockets: [Socket] = []
    /// Whether the daemon passes values on that are told as changes of `Value`, to all subscribers together.
    var isStarted = false
    /// Answers the update that waits for confirmation.
    var confirmation: RequestID?
    private var last = 0

    init(path: String) { self.path = path }

    /// Who is subscribed, as the manager was told.
    var subscribers: [Central] { sockets.map(\.central) + (isStarted ? [.allSubscribers] : []) }

    var isEmpty: Bool { sockets.isEmpty && !isStarted }

    func makeNumber() -> Int {
        last += 1
        return last
    }

    func close() {
        for socket in sockets { socket.writer.close() }
        sockets = []
        isStarted = false
    }
}
#endif
