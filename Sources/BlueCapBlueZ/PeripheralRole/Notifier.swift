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
    /// Whether the daemon passes changes of `Value` on, to all subscribers together.
    var isStarted = false
    /// Answers the update that waits for confirmation.
    var confirmation: RequestID?
    private var last = 0

    init(path: String) { self.path = path }

    /// The subscribed centrals, as they were reported to the manager.
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
