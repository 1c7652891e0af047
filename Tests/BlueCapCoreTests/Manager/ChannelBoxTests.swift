// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Channel boxes", .timeLimit(.minutes(60)))
struct ChannelBoxTests {
    @Test func `a unit after the app's close is not taken, and not in the counts of the channel`() {
        let box = ChannelBox(
            OpenedChannel(
                id: ChannelID(rawValue: 1), peer: "C0:DE:00:00:00:01", psm: 0x80, maximumSendLength: 23,
                maximumReceiveLength: 23))
        #expect(box.received([1]))
        #expect(box.finish(nil))
        #expect(!box.received([2]))
        #expect(box.statistics.receivedUnitCount == 1)
        #expect(box.units.count == 1)
    }
}
