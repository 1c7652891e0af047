// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapESPHome

@Suite("The removal of a bond", .timeLimit(.minutes(60)))
struct ProxyUnpairingsTests {
    private typealias Answer = ProxyUnpairings.Answer

    private func expectEnd(
        _ ended: (isHeld: Bool, Answer?), isHeld: Bool, _ answer: Answer? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(ended.isHeld == isHeld && ended.1 == answer, sourceLocation: sourceLocation)
    }

    @Test func `is answered before the end of the link, whichever comes first`() {
        let wanted = Answer(client: 1, isDone: true, end: 0x16)
        var unpairings = ProxyUnpairings()
        _ = unpairings.begin(7, for: 1)
        let early = unpairings.finished(7, isDone: true, linked: 1)
        #expect(early == nil)
        expectEnd(unpairings.linkEnded(7, of: 1, 0x16), isHeld: true, wanted)
        _ = unpairings.begin(7, for: 1)
        expectEnd(unpairings.linkEnded(7, of: 1, 0x16), isHeld: true)
        let late = unpairings.finished(7, isDone: true, linked: nil)
        #expect(late == wanted)
    }

    @Test func `is answered at once without a link, and without a bond`() {
        var unpairings = ProxyUnpairings()
        _ = unpairings.begin(7, for: 1)
        let isBegunTwice = unpairings.begin(7, for: 2)
        #expect(!isBegunTwice)
        _ = unpairings.begin(8, for: 2)
        let unlinked = unpairings.finished(7, isDone: true, linked: nil)
        #expect(unlinked == Answer(client: 1, isDone: true, end: nil))
        let unbonded = unpairings.finished(8, isDone: false, linked: 2)
        #expect(unbonded == Answer(client: 2, isDone: false, end: nil))
        expectEnd(unpairings.linkEnded(8, of: 2, 0x16), isHeld: false)
    }

    @Test func `does not wait for the link of a client that came meanwhile`() {
        var unpairings = ProxyUnpairings()
        _ = unpairings.begin(7, for: 1)
        let answer = unpairings.finished(7, isDone: true, linked: 2)
        #expect(answer == Answer(client: 1, isDone: true, end: nil))
        #expect(unpairings.count == 0)
    }

    @Test func `holds back no link of another device or client`() {
        var unpairings = ProxyUnpairings()
        _ = unpairings.begin(7, for: 1)
        expectEnd(unpairings.linkEnded(8, of: 1, 8), isHeld: false)
        expectEnd(unpairings.linkEnded(7, of: 2, 8), isHeld: false)
    }
}
