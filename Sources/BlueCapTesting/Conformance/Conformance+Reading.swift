// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let reading: [Behaviour] = [
        Behaviour("a characteristic is read") { world in
            let scene = try await Scene.discovered(.read, value: [0x68, 0x65, 0x6C, 0x6C, 0x6F], in: world)
            let value = try await scene.characteristic().read()
            try expectEqual(value, [0x68, 0x65, 0x6C, 0x6C, 0x6F], "the value")
        },
        Behaviour("an empty value is read") { world in
            let scene = try await Scene.discovered(.read, in: world)
            try expectEqual(try await scene.characteristic().read(), [], "the value")
        },
        Behaviour("the last value that was read is had without the radio") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try expectEqual(characteristic.value, nil, "the value before it was read")
            _ = try await characteristic.read()
            try await scene.peer.setValue([2], of: PeerAttribute())
            try expectEqual(characteristic.value, [1], "the last value")
            try expectEqual(try await characteristic.read(), [2], "the value read anew")
            try expectEqual(characteristic.value, [2], "the last value after that")
        },
        Behaviour("a value of 512 bytes is read") { world in
            let long = Bytes.pattern(count: 512)
            let characteristic = TwinCharacteristic(0, .read, value: long)
            let service = TwinService(.service(0), characteristics: [characteristic])
            let scene = try await Scene.discovered(Twin(name: "Peer", mtu: 185, services: [service]), in: world)
            try expectEqual(try await scene.characteristic().read(), long, "the value")
        },
        Behaviour("a characteristic that cannot be read says so without the radio") { world in
            let scene = try await Scene.discovered(.write, in: world)
            let characteristic = try scene.characteristic()
            try await expectThrows(CharacteristicError.readNotSupported, "reading it") {
                try await characteristic.read()
            }
        },
        Behaviour("reads of one characteristic are answered in order") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .read)
            async let first = characteristic.read()
            try await scene.peer.wait(until: .held(PeerAttribute(), .read))
            async let second = characteristic.read()
            try await settle("two reads are pending") { await characteristic.pendingReadCount == 2 }
            try await scene.peer.answerHeld(PeerAttribute(), on: .read)
            try expectEqual(try await first, [1], "the first read")
            try await scene.peer.wait(until: .held(PeerAttribute(), .read))
            try await scene.peer.setValue([2], of: PeerAttribute())
            try await scene.peer.release(PeerAttribute(), on: .read)
            try expectEqual(try await second, [2], "the second read")
        },
        Behaviour("reads of two characteristics side by side get each their own value") { world in
            let scene = try await Scene.discovered(
                TwinCharacteristic(0, .read, value: [10]),
                TwinCharacteristic(1, .read, value: [20]), in: world)
            let (one, two) = (try scene.characteristic(0), try scene.characteristic(1))
            try await withThrowingTaskGroup(of: (Int, Bytes).self) { group in
                for _ in 0..<20 {
                    group.addTask { (0, try await one.read()) }
                    group.addTask { (1, try await two.read()) }
                }
                for try await (index, value) in group {
                    try expectEqual(value, index == 0 ? [10] : [20], "a value of characteristic \(index)")
                }
            }
        },
        Behaviour("a late reply after a timeout is not taken for the next one") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .read)
            let timedOut = try await scene.elapsing(.seconds(1)) {
                try await characteristic.read(timeout: .seconds(1))
            }
            try expectFailure(timedOut, CharacteristicError.readTimeout, "a read that is not answered")
            try await scene.peer.wait(until: .held(PeerAttribute(), .read))
            async let next = characteristic.read()
            try await settle("the next read is pending") { await characteristic.pendingReadCount > 0 }
            try await scene.peer.answerHeld(PeerAttribute(), on: .read)
            try await scene.peer.wait(until: .held(PeerAttribute(), .read))
            try await scene.peer.setValue([2], of: PeerAttribute())
            try await scene.peer.release(PeerAttribute(), on: .read)
            try expectEqual(try await next, [2], "the value of the next read")
            try expectEqual(scene.central.unclaimedCount, 1, "the replies that came for nobody")
        },
        Behaviour("a read that is cancelled frees its caller and leaves the next one's reply alone") { world in
            let scene = try await Scene.discovered(.read, value: [1], in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .read)
            try await withThrowingTaskGroup(of: Result<Bytes, CharacteristicError>.self) { group in
                group.addTask { await outcome { () throws(CharacteristicError) in try await characteristic.read() } }
                try await scene.peer.wait(until: .held(PeerAttribute(), .read))
                group.cancelAll()
                try expectEqual(try await group.next()?.failure, .cancelled, "the error of a cancelled read")
            }
            async let next = characteristic.read()
            try await settle("the next read is pending") { await characteristic.pendingReadCount > 0 }
            try await scene.peer.answerHeld(PeerAttribute(), on: .read)
            try await scene.peer.wait(until: .held(PeerAttribute(), .read))
            try await scene.peer.setValue([2], of: PeerAttribute())
            try await scene.peer.release(PeerAttribute(), on: .read)
            try expectEqual(try await next, [2], "the value of the next read")
            try expectEqual(scene.central.unclaimedCount, 1, "the replies that came for nobody")
        },
    ]
}
