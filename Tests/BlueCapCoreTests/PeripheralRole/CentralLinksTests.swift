// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// The links of centrals, without a manager.
@Suite("Links of centrals", .timeLimit(.minutes(60)))
struct CentralLinksTests {
    @Test func `a central counts from its first subscription to the end of its last where no links are reported`()
        async throws
    {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                for count in 1...2 {
                    stage.links.subscribed(PeripheralWorld.one, stage)
                    #expect(stage.published.facts.withLock { $0.centrals } == [PeripheralWorld.one])
                    #expect(stage.published.facts.withLock { $0.linkStatistics.connectionCount } == 1, "\(count)")
                }
                let identifier = try #require(PeripheralWorld.one.identifier)
                stage.links.unsubscribed(PeripheralWorld.one, stage)
                #expect(stage.links.isConnected(identifier))
                stage.links.unsubscribed(PeripheralWorld.one, stage)
                #expect(!stage.links.isConnected(identifier))
            }
        }
    }
}
