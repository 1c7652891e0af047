// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapPlatform
package import BlueCapRuntime

/// Serves metrics by HTTP/1.1, `GET /metrics`, one request for each connection.
///
/// It has a thread of its own. Clients that are slow, send more than a request, or are many, cost a bounded amount of
/// memory and time, and do not hold up the gateway.
package actor MetricsServer: RadioActor {
    /// Where there are more connections, the oldest one ends.
    private static let maximumConnections = 16
    /// How long a connection may take in all.
    private static let limit: Duration = .seconds(5)

    /// The address, with the port that was chosen.
    package nonisolated let address: MetricsAddress
    private let loop: EventLoop
    private let listener: ListeningSocket
    private let page: @Sendable () -> String
    /// By numbers that grow.
    private var connections: [Int: MetricsConnection] = [:]
    private var acceptedCount = 0

    package nonisolated var executor: any BackendExecutor { loop }
    // SAFETY: the loop is a `let` of this actor, so it lives at least as long as the unowned reference is used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// Takes the address; connections wait for ``open()`` from then on.
    ///
    /// - Parameters:
    ///   - address: Where to serve.
    ///   - page: Makes the page, in the text format of Prometheus; called on the server's thread.
    /// - Throws: The reason why the address is not to be had.
    package init(_ address: MetricsAddress, page: @escaping @Sendable () -> String) throws(MetricsServerError) {
        do {
            listener = try ListeningSocket(host: address.host, port: address.port)
        } catch {
            throw MetricsServerError(address: address, number: error.errno)
        }
        self.address = MetricsAddress(host: address.host, port: listener.port)
        self.page = page
        do { loop = try EventLoop() } catch { throw MetricsServerError(address: address, number: ENOMEM) }
    }

    /// Begins to serve.
    package nonisolated func open() { later { $0.listen() } }

    /// Ends all connections, and the thread. To be called from outside of it, once.
    package nonisolated func stop() async {
        await close()
        await loop.stop()
    }

    private func close() {
        listener.close(on: loop)
        for number in connections.keys.sorted() { end(number) }
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
        let connection = MetricsConnection(owning: FileDescriptor(owning: accepted))
        if connections.count >= Self.maximumConnections, let oldest = connections.keys.min() { end(oldest) }
        acceptedCount += 1
        let number = acceptedCount
        connections[number] = connection
        connection.timer = loop.after(Self.limit) { [weak self] in self?.onExecutor { $0.end(number) } }
        // A request has often come already.
        work(number)
    }

    private func work(_ number: Int) {
        guard let connection = connections[number] else { return }
        guard let interest = connection.advance(page: page) else { return end(number) }
        if let watch = connection.watch { return loop.change(watch, to: interest) }
        connection.watch = try? loop.watch(connection.socket.rawValue, interest) { [weak self] _ in
            self?.onExecutor { $0.work(number) }
        }
        if connection.watch == nil { end(number) }
    }

    private func end(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        if let watch = connection.watch { loop.unwatch(watch) }
        if let timer = connection.timer { loop.cancel(timer) }
    }
}
#endif
