// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import Testing

@Suite
struct MatchRulesTests {
    private enum Unexpected: Error {
        case step
    }

    private let rules = MatchRules()
    private let rule: MatchRule

    init() throws { rule = try MatchRule(interface: "org.bluecap.Test1") }

    /// The answers that the uses of a rule have received.
    private final class Answers {
        var all: [Result<Void, DBusError>] = []

        var succeeded: Int { all.count { (try? $0.get()) != nil } }
        var errors: [DBusError] {
            all.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        }
    }

    private func use(_ answers: Answers) -> MatchRules.Step { rules.use(rule) { answers.all.append($0) } }

    /// The function that passes the bus's answer on, which the first use of a rule is given.
    private func ask(_ answers: Answers) throws -> MatchRules.Reply {
        guard case .ask(let answered) = use(answers) else { throw Unexpected.step }
        return answered
    }

    /// Ends a use of the rule; whether it was the last.
    private func isLast() -> Bool { rules.release(rule) != nil }

    @Test func `the bus is asked for a rule once, and its answer goes to all who use it by then`() throws {
        let answers = Answers()
        let answered = try ask(answers)
        guard case .awaited = use(answers) else { throw Unexpected.step }
        #expect(answers.all.isEmpty && rules.count == 1)
        answered(.success(()))
        #expect(answers.succeeded == 2)
        guard case .confirmed = use(answers) else { throw Unexpected.step }
        #expect(answers.all.count == 2)
    }

    @Test func `a rule that the bus refuses is forgotten, and asked for again by its next use`() throws {
        let answers = Answers()
        try ask(answers)(.failure(.timedOut))
        #expect(answers.errors == [.timedOut] && rules.count == 0)
        _ = try ask(answers)
    }

    @Test func `a rule goes with its last use, whose wait for the bus is cancelled`() throws {
        let answers = Answers()
        let answered = try ask(answers)
        _ = use(answers)
        #expect(!isLast() && rules.count == 1)
        let cancelWaiters = try #require(rules.release(rule))
        #expect(rules.count == 0 && answers.all.isEmpty)
        cancelWaiters()
        #expect(answers.errors == [.cancelled, .cancelled])
        answered(.success(()))
        #expect(answers.all.count == 2)
        #expect(!isLast())
    }

    @Test func `the late refusal of a rule that was released does not end its next use`() throws {
        let answers = Answers()
        let refused = try ask(answers)
        rules.release(rule)?()
        _ = try ask(answers)
        refused(.failure(.timedOut))
        #expect(rules.count == 1)
    }
}
#endif
