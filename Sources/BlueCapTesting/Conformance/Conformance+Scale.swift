// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let notifyingAtScale: [Behaviour] = [
        Behaviour("10,000 notifications come in order and none is lost") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            let expected = (0..<10_000).map { Bytes.numbered($0, size: 20) }
            try await receive(expected, in: characteristic) {
                try await scene.peer.notifyMany(PeerAttribute(), count: 10_000, size: 20)
            }
            try expectEqual(characteristic.droppedCount, 0, "how many values were dropped")
        },
        Behaviour("a hundred notifications over a socket come in order and none is lost") {
            world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            let expected = (0..<100).map { Bytes.numbered($0, size: 20) }
            try await receive(expected, in: characteristic, transport: .socket) {
                try await scene.peer.notifyMany(PeerAttribute(), count: 100, size: 20)
            }
            try await scene.peer.wait(until: .unsubscribed(PeerAttribute()))
        },
        Behaviour("values dropped for a slow consumer are counted exactly") { world in
            let scene = try await Scene.discovered(.notify, in: world)
            let characteristic = try scene.characteristic()
            let slow = try await characteristic.notifications(capacity: .newest(10))
            let all = (0..<110).map { Bytes.numbered($0) }
            try await receive(all, in: characteristic) {
                try await scene.peer.notifyMany(PeerAttribute(), count: 110, size: 4)
            }
            var kept: [Bytes] = []
            for try await value in slow {
                kept.append(value)
                if kept.count == 10 { break }
            }
            try expectEqual(kept, Array(all.suffix(10)), "the values kept")
            try expectEqual(slow.droppedCount, 100, "how many values were dropped")
            try await settle("the characteristic counts 100 drops") { characteristic.droppedCount == 100 }
        },
    ]
}
