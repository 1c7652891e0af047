// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Logging
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: subscriptions and updates", .timeLimit(.minutes(60)))
struct PeripheralUpdateTests {
    /// Each policy with the values that it keeps of the updates 1, 2 and 3, and the number of dropped ones.
    static let keeping: [(UpdatePolicy, [Bytes], Int)] = [
        (.all, [[1], [2], [3]], 0), (.newest(2), [[2], [3]], 1), (.newest(1), [[3]], 2), (.newest(0), [], 3),
        (.newest(-1), [], 3), (.none, [], 3),
    ]

    @Test func `subscriptions are told on the manager and on the characteristic, and kept as facts`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            let all = await world.recorder(world.manager.subscriptions())
            let own = await world.recorder(characteristic.subscriptions())
            try await world.subscribe(to: characteristic)
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            try await world.subscribe(to: characteristic)
            #expect(characteristic.subscribers == [PeripheralWorld.one, PeripheralWorld.two])
            #expect(characteristic.isUpdating)
            var changed = PeripheralWorld.one
            changed.maximumUpdateLength = 100
            await world.emit(.subscriberChanged(try #require(characteristic.registration?.id), changed))
            #expect(characteristic.subscribers.first?.maximumUpdateLength == 100)
            try await world.unsubscribe(from: characteristic)
            try await world.unsubscribe(from: characteristic)
            #expect(characteristic.subscribers == [PeripheralWorld.two])
            #expect(characteristic.isUpdating)
            try await world.unsubscribe(PeripheralWorld.two, from: characteristic)
            #expect(!characteristic.isUpdating)
            let expected = [
                SubscriptionEvent(kind: .subscribed, characteristic: characteristic, central: PeripheralWorld.one),
                SubscriptionEvent(kind: .subscribed, characteristic: characteristic, central: PeripheralWorld.two),
                SubscriptionEvent(kind: .unsubscribed, characteristic: characteristic, central: changed),
                SubscriptionEvent(kind: .unsubscribed, characteristic: characteristic, central: PeripheralWorld.two),
            ]
            #expect(all.all == expected)
            #expect(own.all == expected)
        }
    }

    @Test func `updates go out one at a time in the order of the calls, and the value is the newest`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            try await world.subscribe(to: characteristic)
            for value in 1...4 { try characteristic.update([UInt8(value)]) }
            #expect(characteristic.value == [4])
            await world.idle()
            #expect(await world.backend.sentValues == [[1]])
            #expect(characteristic.pendingUpdates == [[2], [3], [4]])
            #expect(!characteristic.isUpdating)
            for _ in 1...4 { await world.answer() }
            #expect(await world.backend.sentValues == [[1], [2], [3], [4]])
            #expect(await world.backend.pending.isEmpty)
            #expect(characteristic.isUpdating)
            #expect(characteristic.droppedCount == 0)
        }
    }

    @Test func `characteristics do not wait for each other's updates`() async throws {
        try await PeripheralWorld.run { world in
            let first = try await world.characteristic()
            let second = try await world.characteristic(properties: .indicate)
            try await world.subscribe(to: first)
            try await world.subscribe(to: second)
            try first.update([1])
            try second.update([2])
            await world.idle()
            #expect(await world.backend.pending.count == 2)
        }
    }

    @Test
    func `updates that nobody was subscribed to are sent in order to the first subscriber, before later ones`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            characteristic.updatePolicy = .all
            await world.backend.answerAll(true)
            try characteristic.update([1])
            try characteristic.update([2])
            await world.idle()
            #expect(await world.backend.sentValues.isEmpty)
            #expect(characteristic.pendingUpdates == [[1], [2]])
            #expect(!characteristic.isUpdating)
            await world.backend.emit(.subscribed(try #require(characteristic.registration?.id), PeripheralWorld.one))
            try characteristic.update([3])
            await world.idle()
            #expect(await world.backend.sentValues == [[1], [2], [3]])
            #expect(characteristic.isUpdating)
        }
    }

    @Test(arguments: keeping)
    func `the policy says what is kept while nobody is subscribed, and the rest is counted`(
        _ policy: UpdatePolicy, _ kept: [Bytes], _ dropped: Int
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            characteristic.updatePolicy = policy
            for value in 1...3 { try characteristic.update([UInt8(value)]) }
            #expect(characteristic.pendingUpdates == kept)
            #expect(characteristic.droppedCount == dropped)
            #expect(characteristic.value == [3])
            await world.backend.answerAll(true)
            try await world.subscribe(to: characteristic)
            #expect(await world.backend.sentValues == kept)
        }
    }

    /// The number of updates that are kept by default of 2,000.
    static let defaults: [(CharacteristicProperties, Int)] = [
        (.notify, 1), (.notifyEncryptionRequired, 1), ([.notify, .write], 1), ([.notify, .read], 1),
        ([.notify, .indicate], 1), ([.read, .notifyEncryptionRequired], 1),
        (.indicate, 1024), ([.indicate, .read], 1024), (.indicateEncryptionRequired, 1024),
    ]

    @Test(arguments: defaults)
    func `by default the newest update waits where values can be notified, and 1024 where they are only indicated`(
        _ properties: CharacteristicProperties, _ count: Int
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: properties)
            for value in 0..<2000 { try characteristic.update(UInt16(value)) }
            #expect(characteristic.pendingUpdates.count == count)
            #expect(characteristic.pendingUpdates.last == SerDe.serialize(UInt16(1999)))
        }
    }

    @Test func `a policy that keeps less takes effect at once, and with the last subscriber`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            characteristic.updatePolicy = .all
            for value in 1...3 { try characteristic.update([UInt8(value)]) }
            characteristic.updatePolicy = .newest(2)
            #expect(characteristic.pendingUpdates == [[2], [3]])
            try await world.subscribe(to: characteristic)
            for value in 4...6 { try characteristic.update([UInt8(value)]) }
            characteristic.updatePolicy = .newest(1)
            #expect(characteristic.pendingUpdates == [[3], [4], [5], [6]])
            try await world.unsubscribe(from: characteristic)
            #expect(characteristic.pendingUpdates == [[6]])
            #expect(characteristic.droppedCount == 4)
        }
    }

    @Test func `while the transport is busy the newest wait, up to a bound, and the rest is counted`() async throws {
        try await PeripheralWorld.run(maximumPendingUpdates: 2) { world in
            let characteristic = try await world.characteristic()
            try await world.subscribe(to: characteristic)
            try characteristic.update([0])
            await world.idle()
            for value in 1...5 { try characteristic.update([UInt8(value)]) }
            #expect(characteristic.pendingUpdates == [[4], [5]])
            #expect(characteristic.droppedCount == 3)
            for _ in 1...3 { await world.answer() }
            #expect(await world.backend.sentValues == [[0], [4], [5]])
        }
    }

    @Test func `updates are refused where they cannot be sent, and leave the value as it is`() async throws {
        try await PeripheralWorld.run { world in
            let silent = try await world.characteristic(properties: .read, value: [7])
            #expect(throws: MutableCharacteristicError.notifyNotSupported) { try silent.update([1]) }
            #expect(silent.value == [7])
            let good = try await world.characteristic(value: [7])
            #expect(throws: MutableCharacteristicError.notSerializable) {
                try good.update(stringValue: ["nothing": "x"])
            }
            #expect(throws: MutableCharacteristicError.valueTooLong(count: 513, maximum: 512)) {
                try good.update(Bytes([UInt8](repeating: 0, count: 513)))
            }
            #expect(good.value == [7])
        }
    }

    @Test func `values of types and texts are sent as their bytes`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: .notifyEncryptionRequired)
            await world.backend.answerAll(true)
            try await world.subscribe(to: characteristic)
            try characteristic.update(UInt16(0x0102))
            try characteristic.update(stringValue: ["Unknown": "0a0b"])
            await world.idle()
            #expect(await world.backend.sentValues == [[2, 1], [0x0A, 0x0B]])
            #expect(characteristic.stringValue == ["Unknown": "0a0b"])
        }
    }

    @Test func `a literal of numbers is bytes`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            try characteristic.update([0x01, 0xFF])
            #expect(characteristic.value?.hex == "01ff")
        }
    }

    @Test func `an update that the platform refuses is counted, and the next ones go on in order`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            try await world.subscribe(to: characteristic)
            for value in 1...3 { try characteristic.update([UInt8(value)]) }
            await world.idle()
            await world.answer()
            await world.refuse()
            await world.answer()
            #expect(await world.backend.sentValues == [[1], [2], [3]])
            #expect(characteristic.droppedCount == 1)
            #expect(characteristic.pendingUpdates.isEmpty)
        }
    }

    @Test func `an update that reached nobody is the first one for the next subscriber`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            characteristic.updatePolicy = .newest(2)
            try await world.subscribe(to: characteristic)
            try characteristic.update([1])
            try characteristic.update([2])
            await world.idle()
            await world.refuse(.disconnected)
            #expect(await world.backend.pending.isEmpty)
            #expect(characteristic.pendingUpdates == [[1], [2]])
            try await world.unsubscribe(from: characteristic)
            await world.backend.answerAll(true)
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            #expect(await world.backend.sentValues == [[1], [1], [2]])
            #expect(characteristic.droppedCount == 0)
        }
    }

    @Test func `an update that reached nobody goes to a subscriber that has come meanwhile`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            try await world.subscribe(to: characteristic)
            try characteristic.update([1])
            await world.idle()
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            try await world.unsubscribe(from: characteristic)
            await world.refuse(.disconnected)
            #expect(await world.backend.sentValues == [[1], [1]])
            // That central did not take the value either, and no other has come since: the manager does not retry for
            // ever.
            await world.refuse(.disconnected)
            #expect(await world.backend.sentValues == [[1], [1]])
            #expect(characteristic.pendingUpdates == [[1]])
        }
    }

    @Test
    func `a value for one central goes to it alone, in its turn, and is not the characteristic's value`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            try await world.subscribe(to: characteristic)
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            try characteristic.update([1])
            try characteristic.update([2], for: PeripheralWorld.two)
            try characteristic.update([3], for: PeripheralWorld.one)
            try characteristic.update([4])
            #expect(characteristic.value == [4])
            await world.idle()
            try await world.unsubscribe(PeripheralWorld.two, from: characteristic)
            for _ in 1...3 { await world.answer() }
            let id = try #require(characteristic.registration?.id)
            let expected: [PeripheralOperation] = [
                .update(id, [1], central: nil), .update(id, [3], central: PeripheralWorld.one.identifier),
                .update(id, [4], central: nil),
            ]
            #expect(await Array(world.backend.operations.dropFirst()) == expected)
            #expect(characteristic.droppedCount == 1)
        }
    }

    @Test func `a value for a central that has left, or never came, is counted and no error`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(value: [7])
            await world.backend.answerAll(true)
            try await world.subscribe(to: characteristic)
            try await world.unsubscribe(from: characteristic)
            try characteristic.update([1], for: PeripheralWorld.one)
            #expect(characteristic.droppedCount == 1)
            try await world.subscribe(PeripheralWorld.two, to: characteristic)
            try characteristic.update([2], for: PeripheralWorld.one)
            try characteristic.update([3], for: PeripheralWorld.two)
            await world.idle()
            #expect(await world.backend.sentValues == [[3]])
            #expect(characteristic.droppedCount == 2)
            #expect(characteristic.value == [7])
        }
    }

    @Test func `an update before the service is added, or after it was removed, is kept for the first subscriber`()
        async throws
    {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let characteristic = MutableCharacteristic(uuid: "2A19", value: [7])
            let service = MutableService(uuid: "180F")
            service.characteristics = [characteristic]
            try characteristic.update([1])
            try characteristic.update([2])
            try characteristic.update([9], for: PeripheralWorld.one)
            #expect(characteristic.value == [2] && characteristic.droppedCount == 2)
            try await world.manager.add(service)
            #expect(try await world.read(characteristic) == [.success([2])])
            try await world.subscribe(to: characteristic)
            #expect(await world.backend.sentValues == [[2]])
            try await world.manager.remove(service)
            try characteristic.update([3])
            try await world.manager.add(service)
            try await world.subscribe(to: characteristic)
            #expect(await world.backend.sentValues == [[2], [3]])
            await world.manager.invalidate()
            #expect(throws: MutableCharacteristicError.invalidated) { try characteristic.update([4]) }
            #expect(characteristic.value == [3])
        }
    }

    @Test func `an update that a subscriber receives cut is counted, and the first one warns`() async throws {
        let recorder = LogRecorder()
        try await PeripheralWorld.run(logger: recorder.logger) { world in
            let characteristic = try await world.characteristic()
            await world.backend.answerAll(true)
            var roomy = PeripheralWorld.two
            roomy.maximumUpdateLength = 244
            try await world.subscribe(roomy, to: characteristic)
            let (longest, longer) = (Bytes([UInt8](repeating: 1, count: 20)), Bytes([UInt8](repeating: 2, count: 21)))
            try characteristic.update(longer)
            await world.idle()
            #expect(characteristic.cutUpdateCount == 0)
            try await world.subscribe(to: characteristic)
            for value in [longest, longer, longer] { try characteristic.update(value) }
            try characteristic.update(longer, for: roomy)
            try characteristic.update(longer, for: PeripheralWorld.one)
            await world.idle()
            #expect(characteristic.cutUpdateCount == 3)
            #expect(await world.backend.sentValues.count == 6)
        }
        let lines = recorder.texts
        #expect(lines.count == 1)
        #expect(lines.first?.contains("first bytes characteristic=2A19") == true)
    }

    @Test func `where the platform does not tell subscribers apart, one of them cannot be addressed`() async throws {
        try await PeripheralWorld.run(features: []) { world in
            let characteristic = try await world.characteristic()
            let everybody = Central(identifier: nil)
            try await world.subscribe(everybody, to: characteristic)
            #expect(characteristic.subscribers == [everybody])
            #expect(throws: MutableCharacteristicError.unsupported) { try characteristic.update([1], for: everybody) }
            #expect(throws: MutableCharacteristicError.unsupported) {
                try characteristic.update([1], for: PeripheralWorld.one)
            }
            try await world.unsubscribe(everybody, from: characteristic)
            #expect(characteristic.subscribers.isEmpty)
        }
    }

    @Test func `updates from several tasks arrive each task's in its order, none lost`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic()
            await world.backend.answerAll(true)
            try await world.subscribe(to: characteristic)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask(executorPreference: globalConcurrentExecutor) {
                        for value in 0..<100 { try characteristic.update([UInt8(task), UInt8(value)]) }
                    }
                }
                try await group.waitForAll()
            }
            await world.idle()
            let sent = await world.backend.sentValues
            #expect(sent.count == 400)
            for task in 0..<4 {
                #expect(sent.filter { $0.first == UInt8(task) }.compactMap(\.last) == (0..<100).map { UInt8($0) })
            }
            #expect(characteristic.droppedCount == 0)
        }
    }
}
