#if BlueZ && os(Linux)
import CDBus
import Synchronization

/// A connection to a message bus as seen from its event loop: everything is synchronous and in bus order.
///
/// Replies, signals, name changes and method calls reach their handlers in the order in which the bus sent them, on the
/// loop. Every method is loop only and traps elsewhere, except where stated. A handler is never called from inside a
/// call into this object, so state changes of the caller are never re-entered.
// Right: all state is touched on the loop's thread alone. Every entry point traps elsewhere, libdbus calls back only from calls
// made on that thread, and the end of the last reference finds the connection closed and nobody else.
@safe
package final class BusLink: @unchecked Sendable {
    enum Phase {
        case opening, open, closed
    }

    /// The loop that this connection lives on. From any thread.
    package let loop: EventLoop

    var raw: OpaquePointer?
    var phase = Phase.opening
    private let hasShutDownFlag = Atomic<Bool>(false)
    var uniqueNameText: String?
    var socket: (descriptor: Int32, watch: WatchID, interest: Interest)?
    var libraryWatches: [LibraryWatch] = []
    var isHandling = false
    var isDispatching = false
    var isDispatchQueued = false
    var disconnectHandlers: [() -> Void] = []
    var endHandlers: [UInt64: () -> Void] = [:]
    private var nextEndHandler: UInt64 = 1

    var calls = CallTable()
    var router = SignalRouter()
    var matches: [MatchRule: MatchEntry] = [:]
    var names: [String: WatchedName] = [:]
    var nextNameWatch: UInt64 = 1
    var objects = ObjectTree()

    private init(loop: EventLoop) {
        self.loop = loop
    }

    deinit {
        // An open connection is held by its socket's watch, so by now it is closed.
        assert(phase == .closed)
    }

    /// Connects, authenticates and says Hello, then calls `completion` once.
    ///
    /// Fails with `.openFailed` when the bus cannot be reached or refuses us, `.timedOut` past the deadline. Loop only.
    package static func open(
        _ address: BusAddress, on loop: EventLoop, deadline: Duration = .seconds(25),
        completion: @escaping (Result<BusLink, DBusError>) -> Void
    ) {
        loop.preconditionOnLoop()
        let link = BusLink(loop: loop)
        do throws(DBusError) {
            try link.connect(to: address)
            let hello = try Message.methodCall(
                to: BusDaemon.name, path: BusDaemon.path, interface: BusDaemon.interface, member: "Hello")
            link.call(hello, deadline: deadline) { result in
                completion(link.finishOpening(result))
            }
        } catch {
            link.close()
            loop.runLater { completion(.failure(error)) }
        }
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

    /// Calls `handler` once when the bus ends the connection, after all pending replies have failed with
    /// `.disconnected`. Not called for `close()`.
    package func onDisconnect(_ handler: @escaping () -> Void) {
        loop.preconditionOnLoop()
        disconnectHandlers.append(handler)
    }

    /// Calls `handler` soon after the connection has ended, for whatever reason.
    func addEndHandler(_ handler: @escaping () -> Void) -> UInt64 {
        defer { nextEndHandler += 1 }
        if phase == .closed { loop.runLater(handler) } else { endHandlers[nextEndHandler] = handler }
        return nextEndHandler
    }

    func removeEndHandler(_ id: UInt64) {
        endHandlers[id] = nil
    }

    /// Whether a call made now would have to wait for the answer to another.
    package var isSaturated: Bool {
        loop.preconditionOnLoop()
        return !calls.hasSlot
    }

    /// The counters at this moment.
    package var metrics: BusMetrics {
        loop.preconditionOnLoop()
        var metrics = BusMetrics()
        calls.count(into: &metrics)
        metrics.spoofedSignals = router.spoofed
        metrics.unroutedSignals = router.unrouted
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

    /// The bus has gone: called from dispatch, so at the loop's top level.
    func disconnected() {
        guard phase != .closed else { return }
        let handlers = disconnectHandlers
        disconnectHandlers = []
        for reply in shutDown() { reply(.failure(.disconnected)) }
        for handler in handlers { handler() }
    }

    /// Whether the connection has ended, for whatever reason. From any thread.
    var hasShutDown: Bool { hasShutDownFlag.load(ordering: .acquiring) }

    private func shutDown() -> [ReplyHandler] {
        phase = .closed
        hasShutDownFlag.store(true, ordering: .releasing)
        let replies = calls.removeAll(cancelTimer: loop.cancel)
        router.removeAll()
        matches = [:]
        names = [:]
        objects = ObjectTree()
        for handler in endHandlers.values { loop.runLater(handler) }
        endHandlers = [:]
        disconnectLibrary()
        return replies
    }

    private func finishOpening(_ hello: Result<Message, DBusError>) -> Result<BusLink, DBusError> {
        do throws(DBusError) {
            let name = try hello.get().body(expecting: "s").first?.stringValue ?? ""
            guard let raw = unsafe raw, Names.isBusName(name) else { throw .malformed("the reply to Hello") }
            guard unsafe dbus_bus_set_unique_name(raw, name) != 0 else { throw .outOfMemory }
            uniqueNameText = name
            phase = .open
            return .success(self)
        } catch {
            close()
            switch error {
            case .disconnected:
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

/// The bus itself as a peer.
package enum BusDaemon {
    package static let name = "org.freedesktop.DBus"
    package static let path = "/org/freedesktop/DBus"
    package static let interface = "org.freedesktop.DBus"
}
#endif
