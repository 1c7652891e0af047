// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapCore
package import BlueCapLoop
import BlueCapPlatform
package import BlueCapRuntime

/// Takes the connections of a proxy's clients, on a thread of its own.
///
/// It reads from a client no faster than the proxy takes, and knows nothing of what is read.
package actor ProxyListener: RadioActor {
    private struct Connection {
        let socket: ProxySocket
        var watch: WatchID?
        /// Ends a connection that the proxy has let go, where the other side does not.
        var timer: TimerID?
        /// The bytes that are still read and thrown away at the end.
        var rest = ProxyListener.maximumRest
        var isPaused = false
    }

    /// How many connections there are, those that end included.
    private static let maximumConnections = 128
    /// Closed with bytes that were not read, a connection ends by an error at the other side, which may lose the last
    /// message there.
    private static let (maximumRest, patience) = (65_536, Duration.seconds(5))

    package nonisolated let port: UInt16
    private let server: ProxyServer
    private let loop: EventLoop
    private let listener: ListeningSocket
    private var connections: [Int: Connection] = [:]
    private var acceptedCount = 0

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Takes the address; connections wait for ``open()`` from then on.
    ///
    /// - Throws: The reason why the address is not to be had.
    package init(_ server: ProxyServer, host: String = "::", port: UInt16) throws(LoopError) {
        do { listener = try ListeningSocket(host: host, port: port) } catch {
            // A machine without IPv6.
            guard host == "::", error.errno == EAFNOSUPPORT else { throw error }
            listener = try ListeningSocket(host: "0.0.0.0", port: port)
        }
        self.port = listener.port
        self.server = server
        loop = try EventLoop()
    }

    /// Begins to take connections.
    package nonisolated func open() { later { $0.listen() } }

    /// Ends all connections, and the thread. To be called from outside of it, once.
    package nonisolated func stop() async {
        await close()
        await loop.stop()
    }

    private func close() {
        listener.close(on: loop)
        for number in connections.keys.sorted() { drop(number) }
    }

    private func listen() {
        listener.open(on: loop) { [weak self] connection in
            guard let self else { return }
            let accepted = connection.release()
            onExecutor { $0.admit(accepted) }
        }
    }

    /// Takes over a connection.
    private func admit(_ accepted: Int32) {
        let descriptor = FileDescriptor(owning: accepted)
        guard connections.count < Self.maximumConnections else { return }
        // Answers are short, and waited for.
        var isOn: Int32 = 1
        _ = unsafe setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        acceptedCount += 1
        let number = acceptedCount
        let socket = ProxySocket(owning: descriptor) { [weak self] in self?.later { $0.attend(number) } }
        connections[number] = Connection(socket: socket)
        server.later { [weak self] server in
            let client = server.join(socket)
            self?.later { $0.begin(number, client) }
        }
    }

    /// The proxy has taken a connection, or refused it and closed the socket.
    private func begin(_ number: Int, _ client: Int?) {
        guard let connection = connections[number] else { return }
        let watch = try? loop.watch(connection.socket.rawValue, .read) { [weak self] _ in
            self?.onExecutor { $0.ready(number, client) }
        }
        connections[number]?.watch = watch
        if watch == nil { gone(number, client) } else { attend(number) }
    }

    private func ready(_ number: Int, _ client: Int?) {
        guard let socket = connections[number]?.socket else { return }
        socket.flush()
        while let connection = connections[number], !connection.isPaused {
            guard let bytes = Self.read(socket.rawValue) else { return gone(number, client) }
            if bytes.isEmpty { break }
            take(bytes, number, client)
        }
        attend(number)
    }

    private func take(_ bytes: [UInt8], _ number: Int, _ client: Int?) {
        guard let client, connections[number]?.socket.isOpen == true else {
            connections[number]?.rest -= bytes.count
            if connections[number]?.rest ?? 0 < 0 { drop(number) }
            return
        }
        connections[number]?.isPaused = true
        server.later { [weak self] server in
            server.receive(bytes, from: client)
            self?.later { $0.resume(number) }
        }
    }

    private func resume(_ number: Int) {
        connections[number]?.isPaused = false
        attend(number)
    }

    /// Waits for the events that a connection needs now.
    private func attend(_ number: Int) {
        guard let connection = connections[number], let watch = connection.watch else { return }
        if !connection.socket.isOpen, connection.timer == nil {
            connections[number]?.timer = loop.after(Self.patience) { [weak self] in
                self?.onExecutor { $0.drop(number) }
            }
        }
        var interest: Interest = connection.isPaused ? [] : .read
        if connection.socket.waitingCount > 0 { interest.insert(.write) }
        loop.change(watch, to: interest)
    }

    /// The other side has ended the connection.
    private func gone(_ number: Int, _ client: Int?) {
        drop(number)
        if let client { server.later { $0.leave(client) } }
    }

    private func drop(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.timer { loop.cancel(timer) }
        connection.socket.close()
    }

    /// The bytes that are there, perhaps none; nil at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, used in
            unsafe count = systemRead(descriptor, buffer.baseAddress, 4096)
            used = max(count, 0)
        }
        if count < 0 { return [EAGAIN, EINTR].contains(errno) ? [] : nil }
        return count == 0 ? nil : bytes
    }
}
#endif
