// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let notifying: [Behaviour] = [
        Behaviour("notifications come in order, and none after the loop is left") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            try await receive([[1], [2]], in: characteristic) {
                try await scene.peer.notify(PeerAttribute(), [[1], [2]])
            }
            try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
            try await scene.peer.notify(PeerAttribute(), [[3]])
            try await receive([[4]], in: characteristic) { try await scene.peer.notify(PeerAttribute(), [[4]]) }
        },
        Behaviour("indications come in order, are confirmed, and none comes after the loop is left") { world in
            let scene = try await Scene.discovered(.indicate, in: world)
            let characteristic = try scene.characteristic()
            try await receive([[1], [2]], in: characteristic) {
                let confirmed = try await scene.peer.indicate(PeerAttribute(), [[1], [2]])
                try expectEqual(confirmed, 2, "how many indications were confirmed")
            }
            try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
            try await receive([[4]], in: characteristic) { _ = try await scene.peer.indicate(PeerAttribute(), [[4]]) }
        },
        Behaviour("a hundred indications are confirmed one by one") { world in
            let scene = try await Scene.discovered(.indicate, in: world)
            let values = (0..<100).map { Bytes.numbered($0) }
            try await receive(values, in: try scene.characteristic()) {
                let confirmed = try await scene.peer.indicate(PeerAttribute(), values)
                try expectEqual(confirmed, 100, "how many indications were confirmed")
            }
        },
        Behaviour("a characteristic without notify and indicate refuses subscribers") { world in
            let scene = try await Scene.discovered(.read, in: world)
            let characteristic = try scene.characteristic()
            try await expectThrows(CharacteristicError.notifyNotSupported, "subscribing") {
                try await characteristic.notifications()
            }
            try await expectThrows(CharacteristicError.notifyNotSupported, "starting notifications") {
                try await characteristic.startNotifying()
            }
        },
        Behaviour("a value that is sent before the subscription is answered is delivered") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            try await scene.peer.notifyOnSubscribe(PeerAttribute(), [42])
            var values = try await scene.characteristic().notifications().makeAsyncIterator()
            try expectEqual(try await values.next(), [42], "the first value")
        },
        Behaviour("the first value after subscribing is never lost") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            for number in 0..<10 {
                let value = Bytes.numbered(number)
                try await receive([value], in: characteristic) { try await scene.peer.notify(PeerAttribute(), [value]) }
                try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
            }
            let subscriptions = try await scene.peer.subscriptions(to: PeerAttribute())
            try expectEqual(subscriptions.total, 10, "how often it was subscribed")
        },
        Behaviour("a read does not look like a notification") { world in
            let scene = try await Scene.discovered([.read, .notify], value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await receive([[2]], in: characteristic) {
                try expectEqual(try await characteristic.read(), [1], "the value")
                try await scene.peer.notify(PeerAttribute(), [[2]])
            }
        },
        Behaviour("two subscribers get every value, and the last one to leave unsubscribes") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            try await receive([[1], [2]], in: characteristic) {
                try await receive([[1]], in: characteristic) { try await scene.peer.notify(PeerAttribute(), [[1]]) }
                try await scene.peer.notify(PeerAttribute(), [[2]])
                let subscriptions = try await scene.peer.subscriptions(to: PeerAttribute())
                try expectEqual(subscriptions, .init(current: 1, total: 1), "the subscriptions at the peer")
            }
            try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
        },
        Behaviour("notifying that was started counts as a subscriber until it is stopped") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            try await characteristic.startNotifying()
            try expect(characteristic.isNotifying, "it is not notifying after it was started")
            try await receive([[1]], in: characteristic) { try await scene.peer.notify(PeerAttribute(), [[1]]) }
            let subscriptions = try await scene.peer.subscriptions(to: PeerAttribute())
            try expectEqual(subscriptions, .init(current: 1, total: 1), "the subscriptions at the peer")
            try await characteristic.stopNotifying()
            try expect(!characteristic.isNotifying, "it is notifying after it was stopped")
            try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
        },
        Behaviour("notifications end with an error when the link is lost") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let notifications = try await scene.characteristic().notifications()
            try await withEventRecorder(of: notifications) { values in
                try await scene.peer.notify(PeerAttribute(), [[1]])
                try await values.wait(for: [1])
                try await scene.peer.disconnect()
                let ended = await outcome { try await values.end() }
                try expectFailure(ended, CharacteristicError.disconnected, "notifications when the link is lost")
            }
        },
        Behaviour("notifications resume after a reconnection when that is asked") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let notifications = try await scene.characteristic().notifications(onDisconnect: .resubscribe)
            try await withEventRecorder(of: notifications) { values in
                try await scene.peer.notify(PeerAttribute(), [[1]])
                try await values.wait(for: [1])
                try await scene.losingLink { try await scene.peer.disconnect() }
                try await scene.reconnect()
                try await scene.peer.wait(until: .subscribed(PeerAttribute()))
                try await scene.peer.notify(PeerAttribute(), [[2]])
                try await values.wait(for: [2])
                try expectEqual(values.all, [[1], [2]], "the values over both connections")
            }
        },
        Behaviour("requests to a control point have their responses, over one subscription") { world in
            let scene = try await Scene.discovered([.write, .indicate], in: world)
            let point = try scene.peripheral.controlPoint(SuiteMessage.self)
            for (count, result) in [(1, 1), (2, 7)] as [(Int, UInt8)] {
                async let answer = outcome { try await point.request(SuiteMessage(opCode: 3)) }
                try await scene.peer.wait(until: .written(PeerAttribute(), count: count))
                _ = try await scene.peer.indicate(PeerAttribute(), [[0x80, 2, 1], [0x80, 3, result]])
                if result == SuiteMessage.succeeded {
                    try expectEqual(try await answer.get().outcome?.request, 3, "the op code of the response")
                } else {
                    try expectFailure(await answer, ControlPointError.refused(result), "the request")
                }
            }
            let subscriptions = try await scene.peer.subscriptions(to: PeerAttribute())
            try expectEqual(subscriptions, .init(current: 1, total: 1), "the subscriptions at the peer")
        },
    ]

    /// Subscribes, runs `send`, takes as many values as expected, and leaves the loop.
    static func receive(
        _ expected: [Bytes], in characteristic: Characteristic, capacity: StreamCapacity = .unbounded,
        transport: NotificationTransport = .standard, while send: () async throws -> Void
    ) async throws {
        let notifications = try await characteristic.notifications(capacity: capacity, transport: transport)
        try await send()
        var values: [Bytes] = []
        for try await value in notifications {
            values.append(value)
            if values.count == expected.count { break }
        }
        for (number, (value, wanted)) in zip(values, expected).enumerated() where value != wanted {
            throw ConformanceFailure("value \(number) is \(value.hex) instead of \(wanted.hex)")
        }
        try expectEqual(values.count, expected.count, "how many values came")
    }
}
