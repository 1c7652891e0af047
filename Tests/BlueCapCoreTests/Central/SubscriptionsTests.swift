// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Subscriptions", .timeLimit(.minutes(60)))
struct SubscriptionsTests {
    @Test func `a characteristic has one record, and is switched on once for all that want it`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            try await world.central.act { central in
                let subscriptions = Subscriptions()
                let (_, first) = try subscriptions.subscription(for: level, .standard, central)
                let (_, second) = try subscriptions.subscription(for: level, .standard, central)
                #expect(first === second)
                for hold in [1, 2] as [UInt64] {
                    first.machine.hold(hold)
                    subscriptions.settle(first, of: .one, central)
                }
            }
            await world.idle()
            #expect(await world.backend.pending == [NotifyingTests.on])
        }
    }

    @Test func `a subscription that is taken out ends its listeners, and is not settled any more`() async throws {
        try await World.run { world in
            let (_, level) = try await world.level()
            let box = SubscriptionRecord.Box(capacity: .unbounded)
            try await world.central.act { central in
                let subscriptions = Subscriptions()
                let record = central.book.record(for: .one, central)
                let (_, subscription) = try subscriptions.subscription(for: level, .standard, central)
                subscription.listeners[1] = .init(box: box, onDisconnect: .end)
                subscriptions.endSubscription(to: level.id, of: record, .notDiscovered(level.uuid), central)
                #expect(record.subscriptions.isEmpty)
                subscriptions.settle(subscription, of: .one, central)
            }
            await world.idle()
            #expect(await world.backend.pending == [])
            await #expect(throws: CharacteristicError.notDiscovered(level.uuid)) { try await box.next() }
        }
    }
}
