// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Pending table", .timeLimit(.minutes(60)))
struct PendingTableTests {
    typealias Table = PendingTable<CentralOperation, String>

    static let attribute = AttributeID(handle: 1)
    static let read = CentralOperation.read(.one, attribute)

    static func lane(
        _ attribute: UInt16 = 1, _ peripheral: PeerIdentifier = .one, generation: UInt64 = 1
    ) -> Table.Lane {
        Table.Lane(peripheral: peripheral, generation: generation, kind: .value(AttributeID(handle: attribute)))
    }

    /// Adds a request; gives its name and whether it is to be sent now.
    static func add(_ table: inout Table, _ name: String, lane: Table.Lane = lane()) -> (id: RequestID, isSent: Bool) {
        let id = table.makeID()
        let sent = table.add(id, read, lane: lane, completion: name)
        if let sent { #expect(sent.id == id) }
        return (id, sent != nil)
    }

    @Test func `requests of one lane go out one at a time, in order`() {
        var table = Table()
        let a = Self.add(&table, "a")
        let b = Self.add(&table, "b")
        let c = Self.add(&table, "c")
        #expect([a.isSent, b.isSent, c.isSent] == [true, false, false])
        var step = table.reply(a.id)
        #expect(step.completion == "a")
        #expect(step.send?.id == b.id)
        step = table.reply(b.id)
        #expect(step.completion == "b")
        #expect(step.send?.id == c.id)
        step = table.reply(c.id)
        #expect(step.completion == "c")
        #expect(step.send == nil)
        #expect(table.count == 0)
        #expect(Self.add(&table, "d").isSent)
    }

    @Test func `lanes of other attributes, peripherals and connections do not wait for each other`() {
        var table = Table()
        #expect(Self.add(&table, "a").isSent)
        #expect(Self.add(&table, "b", lane: Self.lane(2)).isSent)
        #expect(Self.add(&table, "c", lane: Self.lane(1, .two)).isSent)
        #expect(Self.add(&table, "d", lane: Self.lane(1, generation: 2)).isSent)
    }

    @Test
    func `a sent request that its caller gave up holds the lane until its reply, and the reply completes nobody`() {
        var table = Table()
        let a = Self.add(&table, "a")
        #expect(table.abandon(a.id) == "a")
        #expect(table.abandon(a.id) == nil)
        let b = Self.add(&table, "b")
        #expect(!b.isSent)
        #expect(table.count == 2)
        let step = table.reply(a.id)
        #expect(step.completion == nil)
        #expect(step.send?.id == b.id)
        #expect(table.lateReplyCount == 1)
        #expect(table.reply(b.id).completion == "b")
    }

    @Test func `a queued request that its caller gave up is never sent`() {
        var table = Table()
        let a = Self.add(&table, "a")
        let b = Self.add(&table, "b")
        let c = Self.add(&table, "c")
        #expect(table.abandon(b.id) == "b")
        #expect(table.reply(a.id).send?.id == c.id)
        #expect(table.reply(b.id).completion == nil)
        #expect(table.lateReplyCount == 1)
    }

    @Test func `when all that are queued gave up, the lane is free after the reply`() {
        var table = Table()
        let a = Self.add(&table, "a")
        let b = Self.add(&table, "b")
        let c = Self.add(&table, "c")
        _ = table.abandon(c.id)
        _ = table.abandon(b.id)
        #expect(table.reply(a.id).send == nil)
        #expect(Self.add(&table, "d").isSent)
    }

    @Test func `calls that queue behind an orphan and give up pile nothing up`() {
        var table = Table()
        let a = Self.add(&table, "a")
        _ = table.abandon(a.id)
        for _ in 0..<1000 {
            let first = Self.add(&table, "first")
            let second = Self.add(&table, "second")
            _ = table.abandon(first.id)
            _ = table.abandon(second.id)
        }
        #expect(table.count == 1)
        #expect(table.queuedCount(in: Self.lane()) == 1)
    }

    @Test
    func `a second reply, a reply to a queued request and a reply after a drain are counted and complete nobody`() {
        var table = Table()
        let a = Self.add(&table, "a")
        let b = Self.add(&table, "b")
        #expect(table.reply(b.id).completion == nil)
        #expect(table.lateReplyCount == 1)
        _ = table.reply(a.id)
        #expect(table.reply(a.id).completion == nil)
        #expect(table.lateReplyCount == 2)
        #expect(table.drain(.one) == ["b"])
        let c = Self.add(&table, "c")
        #expect(c.isSent)
        let step = table.reply(b.id)
        #expect(step.completion == nil)
        #expect(step.send == nil)
        #expect(table.lateReplyCount == 3)
        #expect(table.reply(c.id).completion == "c")
    }

    @Test
    func `a drain gives the callers of one peripheral in the order of their calls, orphans left out`() {
        var table = Table()
        let a = Self.add(&table, "a")
        _ = Self.add(&table, "b", lane: Self.lane(2))
        _ = Self.add(&table, "c")
        _ = Self.add(&table, "other", lane: Self.lane(1, .two))
        _ = Self.add(&table, "d", lane: Self.lane(2))
        _ = table.abandon(a.id)
        #expect(table.drain(.one) == ["b", "c", "d"])
        #expect(table.count == 1)
        #expect(table.drain(nil) == ["other"])
        #expect(table.count == 0)
    }

    @Test
    func `a drain of what is gone leaves the others of the lane, and has the next sent when the one sent is gone`() {
        for isHeadGone in [true, false] {
            var table = Table()
            let other = CentralOperation.write(.one, Self.attribute, [1], .withResponse)
            let ids = ["a", "b", "c", "d"].enumerated().map { index, name in
                let id = table.makeID()
                let isGone = isHeadGone == index.isMultiple(of: 2)
                _ = table.add(id, isGone ? Self.read : other, lane: Self.lane(), completion: name)
                return id
            }
            let (gone, next) = table.drain(Self.lane()) { $0 == Self.read }
            #expect(gone.map(\.completion) == (isHeadGone ? ["a", "c"] : ["b", "d"]))
            #expect(next?.id == (isHeadGone ? ids[1] : nil))
            let left = isHeadGone ? [ids[1], ids[3]] : [ids[0], ids[2]]
            #expect(table.reply(left[0]).send?.id == left[1])
            #expect(table.reply(left[1]).completion == (isHeadGone ? "d" : "c"))
            #expect(table.count == 0)
        }
    }

    @Test func `a lane whose requests are all gone is free, and their replies are late`() {
        var table = Table()
        let a = Self.add(&table, "a")
        let b = Self.add(&table, "b")
        #expect(table.abandon(a.id) == "a")
        let (gone, next) = table.drain(Self.lane()) { _ in true }
        #expect(gone.map(\.completion) == ["b"])
        #expect(next == nil)
        #expect(Self.add(&table, "c").isSent)
        #expect(table.reply(a.id).completion == nil)
        #expect(table.reply(b.id).completion == nil)
        #expect(table.lateReplyCount == 2)
    }

    @Test func `only requests with a caller are counted in a lane`() {
        var table = Table()
        let a = Self.add(&table, "a")
        _ = Self.add(&table, "b")
        _ = Self.add(&table, "c", lane: Self.lane(2))
        #expect(table.count(in: Self.lane()) { _ in true } == 2)
        #expect(table.count(in: Self.lane()) { if case .write = $0 { true } else { false } } == 0)
        _ = table.abandon(a.id)
        #expect(table.count(in: Self.lane()) { _ in true } == 1)
    }
}
