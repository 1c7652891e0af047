// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Subscriptions of centrals and the values that they get, without a manager.
@Suite("Updates", .timeLimit(.minutes(60)))
struct UpdatesTests {
    @Test func `a subscription is told once, and so is its end`() async throws {
        try await PeripheralRooms.run { stage, _ in
            let characteristic = MutableCharacteristic(uuid: "2A19")
            let events = stage.published.subscriptions.stream(capacity: .unbounded)
            try await stage.act { stage in
                let level = try stage.add(characteristic)
                for _ in 1...2 { stage.updates.subscribed(level, PeripheralWorld.one, stage) }
                #expect(characteristic.subscribers == [PeripheralWorld.one])
                for _ in 1...2 { stage.updates.unsubscribed(level, PeripheralWorld.one, stage) }
                #expect(characteristic.subscribers == [])
            }
            stage.published.subscriptions.finish()
            var kinds: [SubscriptionEvent.Kind] = []
            for await event in events { kinds.append(event.kind) }
            #expect(kinds == [.subscribed, .unsubscribed])
        }
    }

    @Test func `a value goes out when the one before it is sent, and none without a subscriber`() async throws {
        try await PeripheralRooms.run { stage, _ in
            let characteristic = MutableCharacteristic(uuid: "2A19")
            try await stage.act { stage in
                let level = try stage.add(characteristic)
                stage.updates.subscribed(level, PeripheralWorld.one, stage)
                characteristic.facts.withLock { facts in
                    for value in 1...3 as ClosedRange<UInt8> { facts.queue.append(.init(value: [value]), limit: nil) }
                }
                stage.updates.flush(level, stage)
                #expect(stage.operations == ["add 180F", "update 01"])
                stage.answer()
                #expect(stage.operations == ["add 180F", "update 01", "update 02"])
                stage.updates.unsubscribed(level, PeripheralWorld.one, stage)
                stage.answer()
                #expect(stage.operations == ["add 180F", "update 01", "update 02"])
            }
        }
    }
}
