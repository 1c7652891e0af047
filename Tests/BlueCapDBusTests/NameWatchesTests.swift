// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import Testing

@Suite
struct NameWatchesTests {
    private static let name = "org.bluecap.Test"

    private let watches = NameWatches()
    private let router = SignalRouter()
    private let sender: SignalSender
    private let match: MatchID

    init() throws {
        sender = router.sender(named: Self.name)
        match = MatchID(rule: try MatchRule(interface: BusDaemon.interface, argument0: Self.name))
        watches.begin(Self.name, sender, match)
    }

    /// The report that a name has another owner; an empty name stands for none.
    private func change(of name: String = name, from previous: String, to owner: String) throws -> Message {
        try .signal(
            path: BusDaemon.path, interface: BusDaemon.interface, member: "NameOwnerChanged",
            body: [.string(name), .string(previous), .string(owner)])
    }

    @Test func `a change reaches the handlers of its name, with the owner known before`() throws {
        let watches = watches
        // The handler holds them.
        defer { watches.removeAll() }
        var seen: [String] = []
        _ = watches.add({ seen.append("\($0.previous ?? "-") \(watches.owner(of: Self.name) ?? "-")") }, to: Self.name)
        #expect(watches.receive(try change(from: "", to: ":1.7")))
        #expect(watches.receive(try change(from: ":1.7", to: "")))
        #expect(!watches.receive(try change(of: "org.bluecap.Other", from: "", to: ":1.8")))
        #expect(seen == ["- :1.7", ":1.7 -"])
    }

    @Test func `the signals of a name are those of its owner, until its last handler is removed`() throws {
        let first = watches.add({ _ in }, to: Self.name)
        let second = watches.add({ _ in }, to: Self.name)
        _ = watches.receive(try change(from: "", to: ":1.7"))
        #expect(sender.owner == Array(":1.7".utf8))
        #expect(watches.remove(first) == nil && watches.contains(Self.name))
        #expect(watches.remove(second) == match && !watches.contains(Self.name))
        #expect(sender.owner == nil && watches.owner(of: Self.name) == nil)
        #expect(watches.remove(second) == nil)
    }

    @Test func `a handler that an earlier one removes is not called`() throws {
        let watches = watches
        // The handler holds them.
        defer { watches.removeAll() }
        var later: NameWatchID?
        var count = 0
        _ = watches.add({ _ in later.map { _ = watches.remove($0) } }, to: Self.name)
        later = watches.add({ _ in count += 1 }, to: Self.name)
        _ = watches.receive(try change(from: "", to: ":1.7"))
        #expect(count == 0)
    }

    @Test func `a name without an owner is an answer, and any other error a failure`() throws {
        let absent = DBusError.remote(name: ErrorName.nameHasNoOwner, message: "")
        #expect(watches.answered(Self.name, .failure(absent)) == .success(nil))
        #expect(watches.answered(Self.name, .failure(.timedOut)) == .failure(.timedOut))
    }

    @Test func `a refused rule fails the answer, whoever owns the name`() throws {
        watches.refused(Self.name, .timedOut)
        let absent = DBusError.remote(name: ErrorName.nameHasNoOwner, message: "")
        #expect(watches.answered(Self.name, .failure(absent)) == .failure(.timedOut))
    }
}
#endif
