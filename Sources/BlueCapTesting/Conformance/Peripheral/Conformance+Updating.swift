// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Subscriptions and the values sent to subscribers.
    static let updating: [Behaviour] = [
        Behaviour("updates reach a subscriber in order") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            try await scene.subscribe()
            try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
            for number in 0..<20 as Range<UInt8> { try scene.local().update([number]) }
            try expectEqual(
                try await scene.received(count: 20), (0..<20).map { [UInt8($0)] as Bytes }, "what came")
            try expectEqual(scene.local().value, [19], "the value")
        },
        Behaviour("indications reach a subscriber in order") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .indicate), in: world)
            try await scene.subscribe(indications: true)
            try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
            for number in 0..<5 as Range<UInt8> { try scene.local().update([number]) }
            try expectEqual(try await scene.received(count: 5), (0..<5).map { [UInt8($0)] as Bytes }, "what came")
            try await settle("nothing is pending") { scene.local().pendingUpdates.isEmpty }
        },
        Behaviour("subscriptions come and go as events") { world in
            let characteristic = MutableCharacteristic(0, .notify)
            try await withEventRecorder(of: characteristic.subscriptions()) { events in
                let scene = try await PeripheralScene.connected(characteristic, in: world)
                try await scene.subscribe()
                try await events.first { $0.kind == .subscribed }
                // bluetoothd passes over the end of a subscription for which it has not had the application's socket
                // yet.
                try scene.local().update([1])
                try expectEqual(try await scene.received(count: 1), [[1]], "what came")
                try await scene.far.unsubscribe(from: try scene.remote().id)
                try await events.first { $0.kind == .unsubscribed }
                try expectEqual(events.all.map(\.kind), [.subscribed, .unsubscribed], "the events")
                try expect(characteristic.subscribers.isEmpty, "somebody is subscribed")
            }
        },
        Behaviour("a subscription ends when the central leaves") { world in
            let characteristic = MutableCharacteristic(0, .notify)
            try await withEventRecorder(of: characteristic.subscriptions()) { events in
                let scene = try await PeripheralScene.connected(characteristic, in: world)
                try await scene.subscribe()
                try await events.first { $0.kind == .subscribed }
                try await scene.far.disconnect()
                try await events.wait { $0.last?.kind == .unsubscribed }
                try expect(!characteristic.isUpdating, "it still updates")
            }
        },
        Behaviour("updates wait for the first subscriber, all of them") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            scene.local().updatePolicy = .all
            for number in 0..<5 as Range<UInt8> { try scene.local().update([number]) }
            try expectEqual(scene.local().pendingUpdates.count, 5, "how many wait")
            try await scene.subscribe()
            try expectEqual(try await scene.received(count: 5), (0..<5).map { [UInt8($0)] as Bytes }, "what came")
        },
        Behaviour("only the newest updates wait when the app wants it so") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            scene.local().updatePolicy = .newest(2)
            for number in 0..<5 as Range<UInt8> { try scene.local().update([number]) }
            try expectEqual(scene.local().droppedCount, 3, "how many were dropped")
            try await scene.subscribe()
            try expectEqual(try await scene.received(count: 2), [[3], [4]], "what came")
        },
        Behaviour("no update waits when the app wants it so") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            scene.local().updatePolicy = .none
            try scene.local().update([1])
            try expectEqual(scene.local().droppedCount, 1, "how many were dropped")
            try await scene.subscribe()
            try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
            try scene.local().update([2])
            try expectEqual(try await scene.received(count: 1), [[2]], "what came")
        },
        Behaviour("10,000 updates come in order and none is lost") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .notify), in: world)
            scene.local().updatePolicy = .all
            try await scene.subscribe()
            try await settle("the manager knows of the subscription") { !scene.local().subscribers.isEmpty }
            let expected = (0..<10_000).map { Bytes.numbered($0, size: 20) }
            for value in expected { try scene.local().update(value) }
            try expect(try await scene.received(count: 10_000) == expected, "what came is not what was sent")
            try expectEqual(scene.local().droppedCount, 0, "how many were dropped")
        },
        Behaviour("an update of a characteristic that cannot notify is refused") { world in
            let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .read), in: world)
            do throws(MutableCharacteristicError) {
                try scene.local().update([1])
            } catch {
                return try expectEqual(error, .notifyNotSupported, "the error")
            }
            throw ConformanceFailure("it was taken")
        },
        Behaviour("two centrals are served at once") { world in
            let scene = try await PeripheralScene.connected(
                MutableCharacteristic(0, [.read, .notify], value: [1]), in: world)
            let second = try await world.farCentral(1)
            let found = try await second.connect(to: try await second.hear { $0.localName == PeripheralScene.name })
            let remote = try require(found.characteristic(0), "the characteristic at the second central")
            try await scene.subscribe()
            try await second.subscribe(to: remote.id, indications: false)
            try await settle("the manager knows of a subscription") { !scene.local().subscribers.isEmpty }
            try expectEqual(try await second.read(remote.id), .success([1]), "what the second reads")
            try scene.local().update([5])
            try expectEqual(try await scene.received(count: 1), [[5]], "what the first received")
            try expectEqual(try await second.received(from: remote.id, count: 1), [[5]], "what the second received")
        },
        Behaviour("requests to a control point are answered one at a time, to a subscriber") { world in
            let characteristic = MutableCharacteristic(0, [.write, .indicate], permissions: .writeable)
            let requests = TypedMutableCharacteristic<SuiteMessage>(characteristic).controlPointRequests()
            let scene = try await PeripheralScene.connected(characteristic, in: world)
            let isSendable = ATTError.clientConfigurationImproper.isSendable(on: scene.manager)
            try expectAnswer(
                try await scene.write([3]), isSendable ? .clientConfigurationImproper : .unlikelyError,
                "a write before the subscription")
            try await scene.subscribe(indications: true)
            try await settle("the manager knows of the subscription") { !characteristic.subscribers.isEmpty }
            var iterator = requests.makeAsyncIterator()
            for result: UInt8 in [1, 7] {
                try expectAnswer(try await scene.write([3]), nil, "a request")
                try expectAnswer(try await scene.write([4]), .procedureAlreadyInProgress, "a request before its end")
                let request = try require(await iterator.next(), "the request")
                try expectEqual(request.message.opCode, 3, "the op code")
                try expect(request.respond(result), "it was not answered")
                try expect(!request.respond(), "it was answered twice")
                try expectEqual(try await scene.received(count: 1), [[0x80, 3, result]], "what came")
            }
        },
        Behaviour("an abort ends the procedure of its central, and not that of another") { world in
            let characteristic = MutableCharacteristic(0, [.write, .indicate], permissions: .writeable)
            let requests = TypedMutableCharacteristic<SuiteMessage>(characteristic).controlPointRequests()
            let scene = try await PeripheralScene.connected(characteristic, in: world)
            let second = try await world.farCentral(1)
            let found = try await second.connect(to: try await second.hear { $0.localName == PeripheralScene.name })
            let remote = try require(found.characteristic(0), "the characteristic at the second central")
            try await scene.subscribe(indications: true)
            try await second.subscribe(to: remote.id, indications: true)
            try await settle("the manager knows of both subscriptions") {
                let subscribers = characteristic.subscribers
                return subscribers.count == 2 || subscribers.contains { $0.identifier == nil }
            }
            var iterator = requests.makeAsyncIterator()
            try expectAnswer(try await scene.write([3]), nil, "a request")
            let first = try require(await iterator.next(), "the request")
            let refusal = try await second.write([9], to: remote.id, isCommand: false)
            try expectAnswer(refusal, .procedureAlreadyInProgress, "an abort of the other central")
            try expect(first.respond(7), "the request was ended")
            try expectEqual(try await scene.received(count: 1), [[0x80, 3, 7]], "what came")
            try expectAnswer(try await scene.write([3]), nil, "a request")
            let next = try require(await iterator.next(), "the second request")
            try expectAnswer(try await scene.write([9]), nil, "an abort of its own")
            try expectEqual(try await scene.received(count: 1), [[0x80, 9, 1]], "what came of the abort")
            try expect(!next.respond(), "the aborted request was answered")
        },
    ]
}
