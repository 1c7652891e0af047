// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

/// Names one signal handler, for removing it.
package struct SignalHandlerID: Hashable, Sendable {
    let value: UInt64
}

/// A handler of signals, with its scope and its filter. Names are kept as the bytes that stand in a header.
final class SignalHandler {
    enum Body {
        case message((Message) -> Void)
        case propertiesChanged((PropertiesChanged?) -> Void)
    }

    let id: SignalHandlerID
    let scope: PathScope
    let sender: SignalSender?
    private let interface: [UInt8]?
    private let member: [UInt8]?
    let body: Body
    /// Whether it has been removed, which may happen while a signal for it is being handed out.
    fileprivate(set) var isRemoved = false

    init(
        id: SignalHandlerID, scope: PathScope, sender: SignalSender?, interface: String?, member: String?, body: Body
    ) {
        (self.id, self.scope, self.sender, self.body) = (id, scope, sender, body)
        self.interface = interface.map { Array($0.utf8) }
        self.member = member.map { Array($0.utf8) }
    }

    /// Whether the handler wants a signal of the scope.
    func wants(_ frame: Frame) -> Bool {
        if let member, !frame.has(.member, member) { return false }
        if let interface, !frame.has(.interface, interface) { return false }
        return true
    }
}

/// Whose signals a handler wants: those of a name, unique or well-known. Loop only.
final class SignalSender {
    private let name: [UInt8]
    private unowned let router: SignalRouter
    /// The unique name behind a well-known one, as far as known.
    var owner: [UInt8]? { didSet { router.changed() } }

    init(_ name: String, of router: SignalRouter) {
        self.name = Array(name.utf8)
        self.router = router
    }

    /// Whether a signal is this sender's.
    func sent(_ frame: Frame) -> Bool {
        if let owner, frame.has(.sender, owner) { return true }
        return frame.has(.sender, name)
    }
}

/// The handlers that signals of one shape go to.
struct SignalRoute {
    var shape: FrameShape?
    var handlers: [SignalHandler] = []
    /// The handlers of the path, whichever signals they want.
    var candidates: [SignalHandler] = []

    /// Whether a signal that differs in its path alone, whose handlers are given, goes the same way.
    func holds(_ shape: FrameShape?, _ others: [SignalHandler]) -> Bool {
        guard let own = self.shape, own.family == shape?.family, others.count == candidates.count else { return false }
        for index in others.indices where others[index] !== candidates[index] { return false }
        return true
    }
}

/// Finds the handlers of a signal by its path, and hands it to them. Loop only.
final class SignalRouter {
    private var byPath = PathTable()
    /// The root stands under no bytes at all, every other namespace under its path.
    private var byNamespace = PathTable()
    private var everywhere: [SignalHandler] = []
    private var handlers: [SignalHandlerID: SignalHandler] = [:]
    private var nextID: UInt64 = 1
    /// Where the last signal went: those of a characteristic's notifications come many in a row.
    private var latest = SignalRoute()
    private var senders: [String: SignalSender] = [:]
    private var changes = PropertiesChangedReader()
    private var spoofed = 0
    private var unrouted = 0

    func newID() -> SignalHandlerID {
        defer { nextID += 1 }
        return SignalHandlerID(value: nextID)
    }

    /// The handlers or owners that decide the routes have changed.
    func changed() { latest = SignalRoute() }

    /// The sender of a name, which handlers share with the watch of the name.
    func sender(named name: String) -> SignalSender {
        if let known = senders[name] { return known }
        let sender = SignalSender(name, of: self)
        senders[name] = sender
        return sender
    }

    func add(_ handler: SignalHandler) {
        changed()
        handlers[handler.id] = handler
        switch handler.scope {
        case .path(let path): byPath.add(handler, at: Array(path.utf8))
        case .namespace(let path): byNamespace.add(handler, at: Self.namespace(path))
        case .all: everywhere.append(handler)
        }
    }

    func remove(_ id: SignalHandlerID) {
        guard let handler = handlers.removeValue(forKey: id) else { return }
        handler.isRemoved = true
        changed()
        switch handler.scope {
        case .path(let path): byPath.remove(id, at: Array(path.utf8))
        case .namespace(let path): byNamespace.remove(id, at: Self.namespace(path))
        case .all: everywhere.removeAll { $0.id == id }
        }
    }

    func removeAll() {
        for handler in handlers.values { handler.isRemoved = true }
        handlers = [:]
        senders = [:]
        changed()
        byPath = PathTable()
        byNamespace = PathTable()
        everywhere = []
    }

    /// The handlers whose scope holds the path, in the order they were added.
    func handlers(for path: Span<UInt8>) -> [SignalHandler] {
        var found = byPath.handlers(at: path)
        var groups = found.isEmpty ? 0 : 1
        func take(_ more: [SignalHandler]) {
            guard !more.isEmpty else { return }
            groups += 1
            if groups == 1 { found = more } else { found += more }
        }
        take(everywhere)
        for length in byNamespace.lengths where Self.isLevel(length, of: path) {
            take(byNamespace.handlers(at: path.extracting(first: length)))
        }
        if groups > 1 { found.sort { $0.id.value < $1.id.value } }
        return found
    }

    /// Whether so many bytes of the path lead to it or to an object above it.
    private static func isLevel(_ length: Int, of path: Span<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        if length == 0 { return true }
        if length >= path.count { return length == path.count && path.count > 1 }
        return path[length] == slash
    }

    private static func namespace(_ path: String) -> [UInt8] { path == "/" ? [] : Array(path.utf8) }

    // MARK: Signals

    /// Hands on a signal with the header of the one before it.
    ///
    /// - Returns: Whether it has that header.
    func repeatRoute(of frame: Frame) throws(DBusError) -> Bool {
        guard let shape = frame.shape, shape.header == latest.shape?.header else { return false }
        try hand(frame, to: latest.handlers)
        return true
    }

    /// Finds the handlers of a signal and hands it to them.
    ///
    /// - Parameters:
    ///   - frame: The signal.
    ///   - isOwnerChange: Whether it reports another owner of a name.
    ///   - isTaken: Whether it was handled already, so that it needs no handler.
    func route(_ frame: Frame, isOwnerChange: Bool, isTaken: Bool) throws(DBusError) {
        guard let path = frame.place(of: .path) else { return }
        let candidates = handlers(for: frame.bytes.span.extracting(path))
        if !isOwnerChange, latest.holds(frame.shape, candidates) {
            latest.shape = frame.shape
            return try hand(frame, to: latest.handlers)
        }
        // Signals of other objects mostly go to the same handlers, so the last signal's handlers are kept as far as
        // they agree.
        var handlers = latest.handlers
        var count = 0
        var spoofed = 0
        for handler in candidates where handler.wants(frame) {
            guard handler.sender?.sent(frame) ?? true else {
                spoofed += 1
                continue
            }
            if count == handlers.count || handlers[count] !== handler {
                handlers.replaceSubrange(count..., with: CollectionOfOne(handler))
            }
            count += 1
        }
        handlers.removeLast(handlers.count - count)
        self.spoofed += spoofed
        if handlers.isEmpty, spoofed == 0, !isTaken { unrouted += 1 }
        // A signal that is also counted or reported has to be routed in full each time.
        let isPlain = !isOwnerChange && spoofed == 0 && !handlers.isEmpty
        latest =
            isPlain ? SignalRoute(shape: frame.shape, handlers: handlers, candidates: candidates) : SignalRoute()
        try hand(frame, to: handlers)
    }

    private func hand(_ frame: Frame, to handlers: [SignalHandler]) throws(DBusError) {
        var message: Message?
        // An earlier handler of the same signal may have removed a later one.
        for handler in handlers where !handler.isRemoved {
            switch handler.body {
            case .message(let body):
                let whole = if let message { message } else { try Message(frame) }
                message = whole
                body(whole)
            case .propertiesChanged(let body):
                body(try changes.read(frame))
                changes.letGo()
            }
        }
    }

    func count(into metrics: inout BusMetrics) {
        metrics.spoofedSignals = spoofed
        metrics.unroutedSignals = unrouted
    }
}

extension BusLink {
    /// Calls `handler` for each signal of the scope, on the loop, in bus order.
    ///
    /// With a `sender` only signals of that sender count: a unique name, the bus itself, or a well-known name that was
    /// passed to `watchName` before; signals of anyone else are dropped and counted. This routes the signals that match
    /// rules bring in and adds no rule. Loop only.
    @discardableResult
    package func onSignal(
        _ scope: PathScope, sender: String? = nil, interface: String? = nil, member: String? = nil,
        _ handler: @escaping (Message) -> Void
    ) -> SignalHandlerID {
        loop.preconditionOnLoop()
        return add(scope, sender: sender, interface, member, .message(handler))
    }

    /// Calls `handler` for each `PropertiesChanged` of the scope, as `onSignal` does. The change is a view of the
    /// received bytes: only the parts that the handler asks for are decoded. Nil stands for a signal of that name with
    /// another signature. Loop only.
    @discardableResult
    package func onPropertiesChanged(
        _ scope: PathScope, sender: String? = nil, _ handler: @escaping (PropertiesChanged?) -> Void
    ) -> SignalHandlerID {
        loop.preconditionOnLoop()
        return add(
            scope, sender: sender, StandardInterface.properties, PropertiesChanged.member, .propertiesChanged(handler))
    }

    private func add(
        _ scope: PathScope, sender: String?, _ interface: String?, _ member: String?, _ body: SignalHandler.Body
    ) -> SignalHandlerID {
        let id = router.newID()
        guard phase != .closed else { return id }
        let sender = sender.map { router.sender(named: $0) }
        router.add(
            SignalHandler(id: id, scope: scope, sender: sender, interface: interface, member: member, body: body))
        return id
    }

    /// Ends a handler; it is not called again. Loop only.
    package func removeHandler(_ id: SignalHandlerID) {
        loop.preconditionOnLoop()
        router.remove(id)
    }
}
#endif
