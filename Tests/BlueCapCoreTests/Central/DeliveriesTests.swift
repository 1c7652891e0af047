// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Deliveries", .timeLimit(.minutes(60)))
struct DeliveriesTests {
    @Test func `a value without a taker is counted, and one with a listener is not`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let box = SubscriptionRecord.Box(capacity: .unbounded)
            await world.central.act { central in
                let deliveries = Deliveries()
                deliveries.valueChanged(.one, Battery.level, [1], central)
                deliveries.valueChanged(.two, Battery.level, [2], central)
                #expect(central.unclaimedCount == 2)
                let subscription = SubscriptionRecord(level)
                subscription.listeners[1] = .init(box: box, onDisconnect: .end)
                central.book.known(.one)?.subscriptions[level.id] = subscription
                deliveries.valueChanged(.one, Battery.level, [3], central)
                #expect(central.unclaimedCount == 2)
            }
            #expect(level.value == [3])
            #expect(try await box.next() == [3])
        }
    }

    @Test func `values that are held for a listener are unclaimed once they are discarded`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            await world.central.act { central in
                let deliveries = Deliveries()
                let subscription = SubscriptionRecord(level)
                subscription.held = HeldValues()
                for value in 1...3 as ClosedRange<UInt8> {
                    let hasTaker = deliveries.deliver([value], of: level, to: subscription, central)
                    #expect(hasTaker)
                }
                deliveries.discardHeld(of: subscription, central)
                deliveries.discardHeld(of: subscription, central)
                #expect(central.unclaimedCount == 3)
            }
        }
    }
}
