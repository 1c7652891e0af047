// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The ways of notified values, without a manager.
@Suite("Deliveries", .timeLimit(.minutes(60)))
struct DeliveriesTests {
    @Test func `a value without a taker is counted, and one with a listener is not`() async throws {
        try await CentralRooms.run { stage, _ in
            let box = SubscriptionRecord.Box(capacity: .unbounded)
            let level = try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                stage.deliveries.valueChanged(.one, Battery.level, [1], stage)
                stage.deliveries.valueChanged(.two, Battery.level, [2], stage)
                #expect(stage.unclaimed.withLock { $0 } == 2)
                record.subscriptions.opened(characteristics[0]).add(.init(box: box, onDisconnect: .end), 1)
                stage.deliveries.valueChanged(.one, Battery.level, [3], stage)
                #expect(stage.unclaimed.withLock { $0 } == 2)
                return characteristics[0]
            }
            #expect(level.value == [3])
            #expect(try await box.next() == [3])
        }
    }

    @Test func `values that are held for a listener are unclaimed once they are discarded`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let level = try stage.discovered().1[0]
                let subscription = SubscriptionRecord(restored: level, over: .standard)
                for value in 1...3 as ClosedRange<UInt8> {
                    let hasTaker = subscription.deliver([value], of: level, stage)
                    #expect(hasTaker)
                }
                subscription.discardHeld(stage)
                subscription.discardHeld(stage)
                #expect(stage.unclaimed.withLock { $0 } == 3)
            }
        }
    }

    @Test func `lost values are counted on their characteristic, or as unclaimed where that is not known`() async throws
    {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                stage.deliveries.valuesDropped(record, Battery.level, 2, stage)
                stage.deliveries.valuesDropped(record, AttributeID(handle: 0x99), 3, stage)
                stage.deliveries.valuesDropped(nil, Battery.level, 4, stage)
                #expect(characteristics[0].droppedCount == 2)
                #expect(stage.unclaimed.withLock { $0 } == 7)
            }
        }
    }
}
