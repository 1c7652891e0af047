// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The subscriptions of one record, without a manager.
@Suite("Subscriptions of a link", .timeLimit(.minutes(60)))
struct LinkSubscriptionsTests {
    static let on = CentralOperation.setNotifying(.one, Battery.level, true, .standard)
    static let off = CentralOperation.setNotifying(.one, Battery.level, false, .standard)

    @Test func `a characteristic has one record, and is switched on once for all that want it`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                let first = record.subscriptions.opened(characteristics[0])
                #expect(record.subscriptions.opened(characteristics[0]) === first)
                for hold in [1, 2] as [UInt64] {
                    first.machine.hold(hold)
                    record.subscriptions.reconcile(first, stage)
                }
                #expect(stage.pending == [Self.on])
            }
        }
    }

    @Test func `notifications go off with the last listener, and the record with them`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                let subscription = record.subscriptions.opened(characteristics[0])
                subscription.add(.init(box: SubscriptionRecord.Box(capacity: .unbounded), onDisconnect: .end), 1)
                record.subscriptions.reconcile(subscription, stage)
                stage.answer(.success(.done))
                #expect(record.subscriptions.areOn)
                #expect(characteristics[0].isNotifying)
                record.subscriptions.remove(1, of: Battery.level, stage)
                #expect(stage.pending == [Self.off])
                stage.answer(.success(.done))
                #expect(record.subscriptions.isEmpty)
            }
        }
    }

    @Test func `a subscription that is taken out ends its listeners, and is not settled any more`() async throws {
        try await CentralRooms.run { stage, _ in
            let box = SubscriptionRecord.Box(capacity: .unbounded)
            let uuid = try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                let (level, subscription) = (characteristics[0], record.subscriptions.opened(characteristics[0]))
                subscription.add(.init(box: box, onDisconnect: .end), 1)
                record.subscriptions.end(level.id, .notDiscovered(level.uuid), stage)
                #expect(record.subscriptions.isEmpty)
                record.subscriptions.reconcile(subscription, stage)
                #expect(stage.pending == [])
                return level.uuid
            }
            await #expect(throws: CharacteristicError.notDiscovered(uuid)) { try await box.next() }
        }
    }

    @Test func `the way of values follows the database and the listeners`() async throws {
        try await CentralRooms.run { stage, _ in
            try await stage.act { stage in
                let (record, characteristics) = try stage.discovered()
                #expect(record.route(of: Battery.level)?.subscription == nil)
                let subscription = record.subscriptions.opened(characteristics[0])
                #expect(record.route(of: Battery.level)?.subscription === subscription)
                let service = record.database.merge(services: [Battery().service])[0]
                var changed = Battery().level
                changed.properties = [.notify]
                let others = record.database.merge(characteristics: [changed], of: service)
                #expect(record.route(of: Battery.level)?.characteristic === others[0])
                record.database.forget()
                #expect(record.route(of: Battery.level) == nil)
            }
        }
    }
}
