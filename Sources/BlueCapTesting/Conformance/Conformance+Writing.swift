// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let writing: [Behaviour] = [
        Behaviour("a value is written with a response") { world in
            let scene = try await Scene.discovered([.read, .write], in: world)
            try await scene.characteristic().write([1, 2, 3])
            let writes = try await scene.peer.writes(to: PeerAttribute())
            try expectEqual(writes, [PeerWrite([1, 2, 3], kind: .request)], "what the peer took")
            try expectEqual(try await scene.characteristic().read(), [1, 2, 3], "the value read back")
        },
        Behaviour("a value is written without a response") { world in
            let scene = try await Scene.discovered(.writeWithoutResponse, in: world)
            try await scene.characteristic().write([4, 5], kind: .withoutResponse)
            try await scene.peer.wait(until: .written(PeerAttribute(), count: 1))
            let writes = try await scene.peer.writes(to: PeerAttribute())
            try expectEqual(writes, [PeerWrite([4, 5], kind: .command)], "what the peer took")
        },
        Behaviour("a way of writing that the characteristic does not offer is refused without the radio") { world in
            let scene = try await Scene.discovered(
                TwinCharacteristic(0, .read),
                TwinCharacteristic(1, .write),
                in: world)
            let (read, written) = (try scene.characteristic(0), try scene.characteristic(1))
            try await expectThrows(CharacteristicError.writeNotSupported, "writing what can only be read") {
                try await read.write([1])
            }
            try await expectThrows(CharacteristicError.writeNotSupported, "writing without the response it needs") {
                try await written.write([1], kind: .withoutResponse)
            }
            let writes = try await scene.peer.writes(to: PeerAttribute(characteristic: 1))
            try expectEqual(writes, [], "what the peer took")
        },
        Behaviour("a value of 512 bytes is written, one of 513 is refused") { world in
            let characteristic = TwinCharacteristic(0, [.read, .write])
            let service = TwinService(.service(0), characteristics: [characteristic])
            let scene = try await Scene.discovered(Twin(name: "Peer", mtu: 185, services: [service]), in: world)
            let written = try scene.characteristic()
            let long = Bytes.pattern(count: 512)
            try await written.write(long)
            try expectEqual(try await scene.peer.value(of: PeerAttribute()), long, "the value at the peer")
            try await expectThrows(CharacteristicError.valueTooLong(count: 513, maximum: 512), "writing 513 bytes") {
                try await written.write(.pattern(count: 513))
            }
        },
        Behaviour("writes of one characteristic reach the peer in order") { world in
            let scene = try await Scene.discovered(.write, in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .write)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...5 {
                    group.addTask { try await characteristic.write([UInt8(number)]) }
                    try await settle("\(number) writes are pending") {
                        await characteristic.pendingWriteCount == number
                    }
                }
                try await scene.peer.release(PeerAttribute(), on: .write)
                try await group.waitForAll()
            }
            let values = try await scene.peer.writes(to: PeerAttribute()).map(\.value)
            try expectEqual(values, [[1], [2], [3], [4], [5]], "what the peer took")
        },
        Behaviour("a write that is not answered throws when its timeout passes") { world in
            let scene = try await Scene.discovered(.write, in: world)
            let characteristic = try scene.characteristic()
            try await scene.peer.hold(PeerAttribute(), on: .write)
            let timedOut = try await scene.elapsing(.seconds(1)) {
                try await characteristic.write([1], timeout: .seconds(1))
            }
            try expectFailure(timedOut, CharacteristicError.writeTimeout, "a write that is not answered")
            try await scene.peer.wait(until: .held(PeerAttribute(), .write))
            try await scene.peer.release(PeerAttribute(), on: .write)
            try await characteristic.write([2])
            let values = try await scene.peer.writes(to: PeerAttribute()).map(\.value)
            try expectEqual(values, [[1], [2]], "what the peer took")
        },
        commands("2,000 writes without response reach the peer in order", kind: .withoutResponse),
        commands(
            "2,000 writes without response over a socket reach the peer in order", kind: .withoutResponseOverSocket),
    ]

    private static func commands(_ name: String, kind: WriteKind) -> Behaviour {
        Behaviour(name) { world in
            let scene = try await Scene.discovered(.writeWithoutResponse, in: world)
            let characteristic = try scene.characteristic()
            let count = 2000
            for number in 0..<count { try await characteristic.write(.numbered(number, size: 20), kind: kind) }
            try await scene.peer.wait(until: .written(PeerAttribute(), count: count))
            let writes = try await scene.peer.writes(to: PeerAttribute())
            try expectEqual(writes.count, count, "how many writes the peer took")
            for (number, write) in writes.enumerated() where write.value != .numbered(number, size: 20) {
                throw ConformanceFailure("write \(number) came as \(write.value.hex)")
            }
            try expect(writes.allSatisfy { $0.kind == .command }, "a write came as a request")
        }
    }
}
