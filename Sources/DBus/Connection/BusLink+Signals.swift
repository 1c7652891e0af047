#if BlueZ && os(Linux)
/// Names one use of a match rule.
package struct MatchID: Hashable, Sendable {
    let rule: MatchRule
}

/// A match rule that the bus was asked for. Loop only.
final class MatchEntry {
    var uses = 1
    var isConfirmed = false
    private var waiters: [(Result<Void, DBusError>) -> Void] = []

    func wait(_ waiter: @escaping (Result<Void, DBusError>) -> Void) {
        waiters.append(waiter)
    }

    func settle(_ outcome: Result<Void, DBusError>) {
        let all = waiters
        waiters = []
        for waiter in all { waiter(outcome) }
    }
}

extension BusLink {
    /// Asks the bus for the signals of a rule. A rule in use already is not added again, only counted.
    ///
    /// The request leaves at once, so a call made after this one is answered after the rule is in force. Loop only.
    @discardableResult
    package func addMatch(
        _ rule: MatchRule, reply: @escaping (Result<Void, DBusError>) -> Void = { _ in }
    ) -> MatchID {
        loop.preconditionOnLoop()
        if let entry = matches[rule] {
            entry.uses += 1
            if entry.isConfirmed {
                loop.runLater { reply(.success(())) }
            } else {
                entry.wait(reply)
            }
            return MatchID(rule: rule)
        }
        let entry = MatchEntry()
        entry.wait(reply)
        if phase != .closed { matches[rule] = entry }
        callDaemon("AddMatch", [.string(rule.text)]) { [weak self] result in
            switch result {
            case .success: entry.isConfirmed = true
            case .failure: if self?.matches[rule] === entry { self?.matches[rule] = nil }
            }
            entry.settle(result.map { _ in })
        }
        return MatchID(rule: rule)
    }

    /// Ends one use of a rule; the last one takes it off the bus. Loop only.
    package func removeMatch(_ id: MatchID) {
        loop.preconditionOnLoop()
        guard let entry = matches[id.rule] else { return }
        entry.uses -= 1
        guard entry.uses == 0 else { return }
        matches[id.rule] = nil
        loop.runLater { entry.settle(.failure(.cancelled)) }
        callDaemon("RemoveMatch", [.string(id.rule.text)]) { _ in }
    }

    /// How many match rules the bus holds for this connection.
    package var matchCount: Int {
        loop.preconditionOnLoop()
        return matches.count
    }

    /// Calls `handler` for each signal of the scope, on the loop, in bus order.
    ///
    /// With a `sender` only signals of that sender count: a unique name, the bus itself, or a well-known name that was
    /// passed to `watchName` before; signals of anyone else are dropped and counted. This routes what match rules
    /// bring in and adds none. Loop only.
    @discardableResult
    package func onSignal(
        _ scope: PathScope, sender: String? = nil, interface: String? = nil, member: String? = nil,
        _ handler: @escaping (Message) -> Void
    ) -> SignalHandlerID {
        loop.preconditionOnLoop()
        let id = router.newID()
        guard phase != .closed else { return id }
        router.add(
            SignalHandler(
                id: id, scope: scope, sender: sender, interface: interface, member: member, body: handler))
        return id
    }

    /// Ends a handler; it is not called again. Loop only.
    package func removeHandler(_ id: SignalHandlerID) {
        loop.preconditionOnLoop()
        router.remove(id)
    }

    func receiveSignal(_ message: Message) {
        guard let path = message.path else { return }
        var isTaken = takeNameOwnerChange(message, path: path)
        let (interface, member, sender) = (message.interface, message.member, message.sender)
        for handler in router.handlers(for: path.utf8Span.span) {
            guard handler.interface == nil || handler.interface == interface,
                handler.member == nil || handler.member == member,
                // An earlier handler of the same signal may have removed this one.
                !handler.isRemoved
            else { continue }
            isTaken = true
            guard isAllowed(sender, as: handler.sender) else {
                router.spoofed += 1
                continue
            }
            handler.body(message)
        }
        if !isTaken { router.unrouted += 1 }
    }

    private func isAllowed(_ sender: String?, as wanted: String?) -> Bool {
        guard let wanted else { return true }
        guard let sender else { return false }
        return sender == wanted || names[wanted]?.owner == sender
    }
}
#endif
