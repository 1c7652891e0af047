// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapLoop
import Synchronization

// SAFETY: all state is touched on the loop's thread alone. Every entry point traps elsewhere, the transport calls back
// only on that thread, and the end of the last reference finds the connection closed and no other user.
/// A connection to a message bus as seen from its event loop: everything is synchronous and in bus order.
///
/// Replies, signals, name changes and method calls reach their handlers in the order in which the bus sent them, on the
/// loop. Every method is loop only and traps elsewhere, except where stated. A handler is never called from inside a
/// call into this object, so state changes of the caller are never re-entered.
package final class BusLink: @unchecked Sendable {
    enum Phase {
        case opening, open, closed
    }

    /// The loop that this connection lives on. From any thread.
    package let loop: EventLoop

    private let transport: any MessageTransport
    private(set) var phase = Phase.opening
    private let hasShutDownFlag = Atomic<Bool>(false)
    private var uniqueNameText: String?
    private var endError: DBusError?
    private var disconnectHandlers: [() -> Void] = []
    private var endHandlers: [UInt64: () -> Void] = [:]
    private var nextEndHandler: UInt64 = 1

    private var received = 0
    var calls = CallTable()
    let router = SignalRouter()
    let matches = MatchRules()
    let names = NameWatches()
    var objects = ExportTree()

    private init(_ transport: any MessageTransport, on loop: EventLoop) {
        self.transport = transport
        self.loop = loop
    }

    deinit {
        // An open connection is held by its transport, so by now it is closed.
        assert(phase == .closed)
    }

    /// Connects, authenticates and says Hello, then calls `completion` once.
    ///
    /// Fails with `.openFailed` when the bus cannot be reached or refuses us, `.malformed` when it breaks D-Bus's
    /// rules, `.timedOut` past the deadline. Loop only.
    ///
    /// - Returns: The connection that is being opened, to close it if it is not wanted any more.
    @discardableResult
    package static func open(
        _ address: BusAddress, on loop: EventLoop, deadline: Duration = .seconds(25),
        completion: @escaping (Result<BusLink, DBusError>) -> Void
    ) -> BusLink {
        loop.preconditionOnLoop()
        return open(over: SocketTransport(address, on: loop), on: loop, deadline: deadline, completion: completion)
    }

    /// The same over whatever carries messages.
    @discardableResult
    static func open(
        over transport: any MessageTransport, on loop: EventLoop, deadline: Duration = .seconds(25),
        completion: @escaping (Result<BusLink, DBusError>) -> Void
    ) -> BusLink {
        let link = BusLink(transport, on: loop)
        do throws(DBusError) {
            try transport.open(for: link)
            let hello = try Message.methodCall(
                to: BusDaemon.name, path: BusDaemon.path, interface: BusDaemon.interface, member: "Hello")
            link.call(hello, deadline: deadline) { result in
                completion(link.finishOpening(result))
            }
        } catch {
            link.close()
            loop.runLater { completion(.failure(error)) }
        }
        return link
    }

    /// The name that the bus gave this connection.
    package var uniqueName: String {
        loop.preconditionOnLoop()
        return uniqueNameText ?? ""
    }

    package var isOpen: Bool {
        loop.preconditionOnLoop()
        return phase == .open
    }

    /// Why the connection ended: `.disconnected` when the bus closed it, `.malformed` when the bus broke D-Bus's rules,
    /// `.system` when reading failed. Nil while it is open and after `close()`.
    package var endCause: DBusError? {
        loop.preconditionOnLoop()
        return endError
    }

    /// Calls `handler` once when the bus ends the connection, after all pending replies have failed with
    /// `.disconnected`. Not called for `close()`.
    package func onDisconnect(_ handler: @escaping () -> Void) {
        loop.preconditionOnLoop()
        disconnectHandlers.append(handler)
    }

    /// Calls `handler` soon after the connection has ended, for whatever reason.
    package func addEndHandler(_ handler: @escaping () -> Void) -> UInt64 {
        loop.preconditionOnLoop()
        defer { nextEndHandler += 1 }
        if phase == .closed { loop.runLater(handler) } else { endHandlers[nextEndHandler] = handler }
        return nextEndHandler
    }

    /// Takes an end handler back. After the connection has ended it is queued on the loop already, and still called.
    package func removeEndHandler(_ id: UInt64) {
        loop.preconditionOnLoop()
        endHandlers[id] = nil
    }

    /// Whether a call made now would have to wait for the answer to another.
    package var isSaturated: Bool {
        loop.preconditionOnLoop()
        return !calls.hasSlot
    }

    package var metrics: BusMetrics {
        loop.preconditionOnLoop()
        var metrics = BusMetrics()
        metrics.received = received
        calls.count(into: &metrics)
        router.count(into: &metrics)
        return metrics
    }

    /// Ends the connection. Pending replies fail with `.disconnected`, handlers are dropped. May be called repeatedly.
    package func close() {
        loop.preconditionOnLoop()
        guard phase != .closed else { return }
        let replies = shutDown()
        disconnectHandlers = []
        if !replies.isEmpty {
            loop.runLater {
                for reply in replies { reply(.failure(.disconnected)) }
            }
        }
    }

    /// Whether the connection has ended, for whatever reason. From any thread.
    package var hasShutDown: Bool { hasShutDownFlag.load(ordering: .acquiring) }

    private func shutDown() -> [ReplyHandler] {
        phase = .closed
        hasShutDownFlag.store(true, ordering: .releasing)
        let replies = calls.removeAll(cancelTimer: loop.cancel)
        loop.awaitedCount -= replies.count
        router.removeAll()
        matches.removeAll()
        names.removeAll()
        objects = ExportTree()
        for handler in endHandlers.values { loop.runLater(handler) }
        endHandlers = [:]
        transport.close()
        return replies
    }

    /// Queues a copy of the message for the bus and returns its serial.
    func transmit(_ message: Message) throws(DBusError) -> UInt32 {
        guard phase != .closed else { throw .disconnected }
        return try transport.send(message)
    }

    /// Sends a message that wants no reply: a signal, a reply, or a call with `expectsReply: false`.
    package func send(_ message: Message) throws(DBusError) {
        loop.preconditionOnLoop()
        _ = try transmit(message)
    }

    private func finishOpening(_ hello: Result<Message, DBusError>) -> Result<BusLink, DBusError> {
        do throws(DBusError) {
            let name = try hello.get().body(expecting: "s").first?.stringValue ?? ""
            guard Names.isBusName(name) else { throw .malformed("the reply to Hello") }
            uniqueNameText = name
            phase = .open
            return .success(self)
        } catch {
            close()
            switch error {
            case .disconnected:
                if let endError, endError != .disconnected { return .failure(endError) }
                return .failure(
                    .openFailed(
                        name: "org.freedesktop.DBus.Error.AuthFailed",
                        message: "the bus ended the connection before it was set up"))
            case .remote(let name, let message):
                return .failure(.openFailed(name: name, message: message))
            default:
                return .failure(error)
            }
        }
    }
}

// Messages from the bus: an answer goes to its call, a signal to its handlers.
extension BusLink: MessageReceiver {
    func receive(_ frame: Frame) throws(DBusError) {
        guard phase != .closed else { return }
        received += 1
        switch frame.header.kind {
        case .methodReturn, .error: try receiveReply(frame)
        case .signal: try receiveSignal(frame)
        case .methodCall: receiveCall(try Message(frame))
        case nil: break
        }
    }

    /// Hands a signal to its handlers. The header shows whether there are any, and only then is the body looked at.
    private func receiveSignal(_ frame: Frame) throws(DBusError) {
        if try router.repeatRoute(of: frame) { return }
        let isOwnerChange = NameWatches.isOwnerChange(frame)
        let isTaken = isOwnerChange ? names.receive(try Message(frame)) : false
        try router.route(frame, isOwnerChange: isOwnerChange, isTaken: isTaken)
    }

    /// The transport has ended, or must not be used any longer.
    func ended(_ error: DBusError) {
        guard phase != .closed else { return }
        endError = error
        let handlers = disconnectHandlers
        disconnectHandlers = []
        for reply in shutDown() { reply(.failure(.disconnected)) }
        for handler in handlers { handler() }
    }
}

/// The bus itself as a peer.
package enum BusDaemon {
    package static let name = "org.freedesktop.DBus"
    package static let path = "/org/freedesktop/DBus"
    package static let interface = "org.freedesktop.DBus"
}
#endif
