// SPDX-License-Identifier: MIT

#if Gateway
import Testing

@testable import BlueCapGateway

@Suite("The news of a broker", .timeLimit(.minutes(60)))
final class BrokerNewsTests {
    private var news = BrokerNews()
    private let connected = GatewayEvent.brokerConnected

    private func isNew(_ event: GatewayEvent, at time: Duration) -> Bool { news.isNew(event, at: time) }

    private func lasting(at time: Duration) -> GatewayEvent? { news.lasting(at: time) }

    private func lost(_ reason: String) -> GatewayEvent { .brokerLost(reason) }

    @Test func `are the end of a connection, once for each reason, and the next connection`() {
        #expect(isNew(connected, at: .seconds(1)))
        for time in 60..<70 {
            #expect(isNew(lost("closed"), at: .seconds(time)) == (time == 60))
            #expect(isNew(lost("refused"), at: .seconds(time)) == (time == 60))
        }
        #expect(isNew(connected, at: .seconds(80)))
        #expect(!isNew(connected, at: .seconds(81)), "asked again")
        #expect(isNew(lost("closed"), at: .seconds(200)))
    }

    @Test func `are few where the broker ends each connection, until one lasts`() {
        var reported = 0
        for time in 0..<1000 {
            for event in [connected, lost("closed")] where isNew(event, at: .seconds(time)) { reported += 1 }
            #expect(lasting(at: .seconds(time)) == nil)
        }
        #expect(reported == 2)
        #expect(!isNew(connected, at: .seconds(1000)))
        #expect(lasting(at: .seconds(1009)) == nil)
        #expect(lasting(at: .seconds(1010)) == connected)
        #expect(lasting(at: .seconds(1011)) == nil)
        #expect(isNew(lost("closed"), at: .seconds(1012)))
    }

    @Test func `are a topic that the broker denies, once for all connections`() {
        let denied = GatewayEvent.topicDenied("a")
        for time in 0..<3 {
            _ = isNew(connected, at: .seconds(time * 60))
            #expect(isNew(denied, at: .seconds(time * 60)) == (time == 0))
            _ = isNew(lost("closed"), at: .seconds(time * 60 + 59))
        }
    }
}
#endif
