// SPDX-License-Identifier: MIT

import BlueCapRuntime
import Testing

@testable import BlueCapCore

/// The connection of one record, without a manager.
@Suite("Connection of a link", .timeLimit(.minutes(60)))
struct LinkConnectionTests {
    @Test func `an end is asked for once, and nothing is waited for where there is no connection`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let idle = stage.book.record(for: .two, stage)
                let none = idle.connection.forceEnd(stage)
                #expect(none == nil)
                let record = try stage.connect(.one)
                let counts = [record.connection.forceEnd(stage), record.connection.forceEnd(stage)]
                #expect(counts == [0, 0])
                #expect(record.link == .disconnecting)
                #expect(stage.calls == [.connect(.one), .disconnect(.one)])
            }
        }
    }

    @Test func `a loss is told to the streams, once for each connection`() async throws {
        try await CentralRooms.run { stage, _ in
            let events = stage.published.connectionEvents.stream(capacity: .unbounded)
            try await stage.act { stage in
                let record = try stage.connect(.one)
                record.connection.disconnected(nil, stage)
                record.connection.disconnected(nil, stage)
                stage.book.record(for: .three, stage).connection.disconnected(nil, stage)
            }
            stage.published.finish()
            var all: [ConnectionEvent] = []
            for await event in events { all.append(event.event) }
            #expect(all == [.connected, .disconnected(.disconnected)])
        }
    }

    @Test func `each caller waits for its own time, and the attempt ends with the last one`() async throws {
        try await CentralRooms.run { stage, time in
            let ended = Locked<[UInt64]>([])
            try await stage.act { stage in
                let connection = stage.book.record(for: .one, stage).connection
                for seconds in [1, 2] as [UInt64] {
                    let waiter = ConnectionCallers.Waiter(timeout: .seconds(Int(seconds)), user: nil) { result in
                        if case .failure(.connectionTimeout) = result { ended.withLock { $0.append(seconds) } }
                    }
                    let stands = try connection.join(waiter, seconds, stage)
                    #expect(!stands)
                }
            }
            await time.pass(1)
            #expect(ended.withLock { $0 } == [1])
            #expect(await stage.calls == [.connect(.one)])
            await time.pass(1)
            #expect(await stage.calls == [.connect(.one), .disconnect(.one)])
            #expect(ended.withLock { $0 } == [1, 2])
        }
    }
}
