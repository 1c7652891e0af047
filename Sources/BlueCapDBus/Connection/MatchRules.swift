// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

/// Names one use of a match rule.
package struct MatchID: Hashable, Sendable {
    let rule: MatchRule

    package init(rule: MatchRule) { self.rule = rule }
}

/// The match rules that the bus holds for one connection, each of which it was asked for once. Loop only.
final class MatchRules {
    typealias Reply = (Result<Void, DBusError>) -> Void

    /// The next step for a use of a rule.
    enum Step {
        /// The rule is in force.
        case confirmed
        /// The bus was asked for the rule before; its answer goes to this use too.
        case awaited
        /// The bus is to be asked for the rule, and its answer passed on.
        case ask(Reply)
    }

    private final class Entry {
        var uses = 1
        var isConfirmed = false
        private var waiters: [Reply]

        init(_ waiter: @escaping Reply) { waiters = [waiter] }

        func wait(_ waiter: @escaping Reply) { waiters.append(waiter) }

        func finish(_ outcome: Result<Void, DBusError>) {
            let all = waiters
            waiters = []
            for waiter in all { waiter(outcome) }
        }
    }

    private var entries: [MatchRule: Entry] = [:]

    var count: Int { entries.count }

    /// Counts a use of a rule. `reply` receives the bus's answer, unless the rule is in force.
    func use(_ rule: MatchRule, reply: @escaping Reply) -> Step {
        if let entry = entries[rule] {
            entry.uses += 1
            if entry.isConfirmed { return .confirmed }
            entry.wait(reply)
            return .awaited
        }
        let entry = Entry(reply)
        entries[rule] = entry
        return .ask { [weak self] outcome in
            switch outcome {
            case .success: entry.isConfirmed = true
            case .failure: if let self, entries[rule] === entry { entries[rule] = nil }
            }
            entry.finish(outcome)
        }
    }

    /// Ends one use of a rule.
    ///
    /// - Returns: After the last use, a function that ends the uses that still wait for the bus's answer.
    func release(_ rule: MatchRule) -> (() -> Void)? {
        guard let entry = entries[rule] else { return nil }
        entry.uses -= 1
        guard entry.uses == 0 else { return nil }
        entries[rule] = nil
        return { entry.finish(.failure(.cancelled)) }
    }

    func removeAll() { entries = [:] }
}

extension BusLink {
    /// Asks the bus for the signals of a rule. A rule in use already is not added again, only counted.
    ///
    /// The request leaves at once, so a call made after this one is answered after the rule is in force. Loop only.
    @discardableResult
    package func addMatch(_ rule: MatchRule, reply: @escaping (Result<Void, DBusError>) -> Void = { _ in }) -> MatchID {
        loop.preconditionOnLoop()
        let id = MatchID(rule: rule)
        guard phase != .closed else {
            loop.runLater { reply(.failure(.disconnected)) }
            return id
        }
        switch matches.use(rule, reply: reply) {
        case .confirmed: loop.runLater { reply(.success(())) }
        case .awaited: break
        case .ask(let answered): callDaemon("AddMatch", [.string(rule.text)]) { answered($0.map { _ in }) }
        }
        return id
    }

    /// Ends one use of a rule; the last one takes it off the bus. Loop only.
    package func removeMatch(_ id: MatchID) {
        loop.preconditionOnLoop()
        guard let cancelWaiters = matches.release(id.rule) else { return }
        loop.runLater(cancelWaiters)
        callDaemon("RemoveMatch", [.string(id.rule.text)]) { _ in }
    }

    /// How many match rules the bus holds for this connection.
    package var matchCount: Int {
        loop.preconditionOnLoop()
        return matches.count
    }
}
#endif
