// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Connections", .timeLimit(.minutes(60)))
struct ConnectionsTests {
    @Test func `an end is asked for once, and nothing is waited for where there is no connection`() async throws {
        try await World.run { world in
            _ = try await world.connect(.one)
            await world.central.act { central in
                let connections = Connections(PublishedCentralState(), maximumAttributes: 64)
                let idle = central.book.record(for: .two, central)
                let none = connections.forceEnd(idle, central)
                #expect(none == nil)
                let record = central.book.record(for: .one, central)
                let counts = [connections.forceEnd(record, central), connections.forceEnd(record, central)]
                #expect(counts == [0, 0])
                #expect(record.link == .disconnecting)
            }
            await world.idle()
            #expect(await world.backend.count(.disconnect(.one)) == 1)
        }
    }

    @Test func `a loss is told to the streams of the room, once for each connection`() async throws {
        try await World.run { world in
            _ = try await world.connect(.one)
            let published = PublishedCentralState()
            let connections = Connections(published, maximumAttributes: 64)
            let events = Recorder(published.connectionEvents.stream(capacity: .unbounded), on: world)
            await world.central.act { central in
                connections.disconnected(.one, nil, central)
                connections.disconnected(.one, nil, central)
                connections.disconnected(.three, nil, central)
            }
            await world.idle()
            #expect(events.all.map(\.event) == [.disconnected(.disconnected)])
            published.finish()
        }
    }
}
