// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCore

/// The polls of signal strengths, without a manager.
@Suite("Signal polls", .timeLimit(.minutes(60)))
struct SignalPollsTests {
    @Test func `a poll without a connection does not begin, and its end ends the stream`() async throws {
        try await CentralRooms.run { stage, _ in
            let box = Mailbox<Int, Never>(capacity: .newest(1))
            await stage.act { stage in
                let record = stage.book.record(for: .one, stage)
                #expect(throws: PeripheralError.disconnected) { try record.sightedRSSI(at: .zero) }
                stage.connections.polls.begin(1, of: .one, every: .seconds(1), into: RSSIReadings(box), stage)
                #expect(stage.connections.polls.count == 0)
            }
            #expect(await box.next() == nil)
        }
    }

    @Test func `the polls of one peripheral end with its link, and those of others go on`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                for id in [PeerIdentifier.one, .two] { _ = try stage.connect(id) }
                for (number, id) in [(1, PeerIdentifier.one), (2, .two), (3, .two)] {
                    let readings = RSSIReadings(Mailbox(capacity: .newest(1)))
                    stage.connections.polls.begin(UInt64(number), of: id, every: .seconds(1), into: readings, stage)
                }
                #expect(stage.connections.polls.count == 3)
                stage.connections.polls.endAll(of: .two, stage)
                #expect(stage.connections.polls.count == 1)
                stage.connections.polls.endAll(stage)
                #expect(stage.connections.polls.count == 0)
            }
        }
    }
}
