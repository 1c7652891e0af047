// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Names one use of a match rule.
package struct MatchID: Hashable, Sendable {
    let rule: MatchRule

    package init(rule: MatchRule) { self.rule = rule }
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
