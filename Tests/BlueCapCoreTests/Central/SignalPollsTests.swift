// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCore

/// The polls of the manager, without the streams of its peripherals.
@Suite("Signal polls", .timeLimit(.minutes(60)))
struct SignalPollsTests {
    @Test func `a poll without a connection does not begin, and its end ends the stream`() async throws {
        try await World.run { world in
            let box = Mailbox<Int, Never>(capacity: .newest(1))
            await world.central.act { central in
                let record = central.book.record(for: .one, central)
                #expect(throws: PeripheralError.disconnected) { try record.sightedRSSI(at: .zero) }
                central.connections.polls.begin(1, of: .one, every: .seconds(1), into: RSSIOutlet(box), central)
                #expect(central.connections.polls.count == 0)
            }
            #expect(await box.next() == nil)
        }
    }

    @Test func `the polls of one peripheral end with its link, and those of others go on`() async throws {
        try await World.run { world in
            _ = try await world.connect(.one)
            _ = try await world.connect(.two)
            await world.central.act { central in
                for (number, id) in [(1, PeerIdentifier.one), (2, .two), (3, .two)] {
                    let outlet = RSSIOutlet(Mailbox(capacity: .newest(1)))
                    central.connections.polls.begin(UInt64(number), of: id, every: .seconds(1), into: outlet, central)
                }
                #expect(central.connections.polls.count == 3)
                central.connections.polls.endAll(of: .two, central)
                #expect(central.connections.polls.count == 1)
                central.connections.polls.endAll(central)
                #expect(central.connections.polls.count == 0)
            }
        }
    }
}
