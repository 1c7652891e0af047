// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Reads and writes of a central.
    static let serving: [Behaviour] =
        [
            Behaviour("a central reads the value that a characteristic has") { world in
                let scene = try await PeripheralScene.connected(
                    MutableCharacteristic(0, .read, value: [1, 2]), in: world)
                try expectEqual(try await scene.read(), .success([1, 2]), "the value")
                scene.local().value = [3]
                try expectEqual(try await scene.read(), .success([3]), "the value after it was set")
            },
            Behaviour("a central reads a value of 512 bytes") { world in
                let long = Bytes.pattern(count: 512)
                let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .read, value: long), in: world)
                try expectEqual(try await scene.read(), .success(long), "the value")
            },
            Behaviour("a central reads what the app answers") { world in
                let (scene, requests) = try await PeripheralScene.readable(.read, value: [1], in: world)
                async let value = scene.read()
                let request = try require(await requests.first { _ in true }, "the request")
                try expectEqual(request.offset, 0, "the offset")
                try expect(request.respond([9, 8]), "the answer was refused")
                try expectEqual(try await value, .success([9, 8]), "the value")
                try expectEqual(scene.local().value, [1], "the characteristic's own value")
            },
            Behaviour("a write that the app accepts becomes the value") { world in
                let (scene, requests) = try await PeripheralScene.writable([.read, .write], value: [0], in: world)
                async let answer = scene.write([1, 2, 3])
                let request = try require(await requests.first { _ in true }, "the request")
                try expectEqual(request.value, [1, 2, 3], "what is written")
                try expectEqual(scene.local().value, [0], "the value before it is accepted")
                try expect(request.accept(), "it could not be accepted")
                try expectAnswer(try await answer, nil, "the write")
                try expectEqual(scene.local().value, [1, 2, 3], "the value")
                try expect(!request.accept(), "it was accepted twice")
            },
            Behaviour("a run on the manager's executor accepts writes, in a child task too") { world in
                let (scene, requests) = try await PeripheralScene.writable([.read, .write], value: [0], in: world)
                async let served: Void = scene.manager.run {
                    try await scene.manager.stopAdvertising()
                    try require(await requests.first { _ in true }, "the first request").accept()
                    async let second = requests.first { _ in true }
                    try require(await second, "the second request").accept()
                }
                for value in [[1], [2]] as [Bytes] {
                    try expectAnswer(try await scene.write(value), nil, "the write of \(value)")
                    try expectEqual(scene.local().value, value, "the value")
                }
                try await served
            },
            Behaviour("a command reaches the app") { world in
                let (scene, requests) = try await PeripheralScene.writable(.writeWithoutResponse, in: world)
                try expectAnswer(try await scene.write([7], isCommand: true), nil, "the command")
                let request = try require(await requests.first { _ in true }, "the request")
                try expectEqual(request.value, [7], "what is written")
                request.accept()
                try expectEqual(scene.local().value, [7], "the value")
            },
            Behaviour("a long write is one request") { world in
                let long = Bytes.pattern(count: 400)
                let (scene, requests) = try await PeripheralScene.writable([.read, .write], value: [], in: world)
                async let answer = scene.write(long)
                let request = try require(await requests.first { _ in true }, "the request")
                try expectEqual(request.value, long, "what is written")
                try expectEqual(request.offset, 0, "where")
                request.accept()
                try expectAnswer(try await answer, nil, "the write")
                try expectEqual(try await scene.read(), .success(long), "the value as the central reads it")
            },
            Behaviour("a write that is not answered delays no access to another characteristic") { world in
                let slow = MutableCharacteristic(0, .write)
                let requests = slow.writeRequests()
                let scene = try await PeripheralScene.connected(
                    slow, MutableCharacteristic(1, .writeWithoutResponse), in: world)
                let other = scene.local(1).writeRequests()
                async let answer = scene.write([1])
                let held = try require(await requests.first { _ in true }, "the request")
                _ = try await scene.write([5], 1, isCommand: true)
                let command = try require(await other.first { _ in true }, "the command")
                try expectEqual(command.value, [5], "the command's value")
                held.accept()
                try expectAnswer(try await answer, nil, "the write")
            },
            Behaviour("a write to a characteristic of a type is decoded, and becomes its value") { world in
                let limit = TypedMutableCharacteristic<[UInt16]>(uuid: .characteristic(0), value: [1])
                let requests = limit.writeRequests()
                let scene = try await PeripheralScene.connected(limit.characteristic, in: world)
                try expectEqual(try await scene.read(), .success([1, 0]), "the value")
                async let answer = scene.write([2, 0, 3, 0])
                let request = try require(await requests.first { _ in true }, "the request")
                try expectEqual(request.newValue, [2, 3], "what is written")
                try expectEqual(limit.value, [1], "the value before it is accepted")
                try expect(request.accept(), "it could not be accepted")
                try expectAnswer(try await answer, nil, "the write")
                try expectEqual(limit.value, [2, 3], "the value")
            },
            Behaviour("a write that is no value of the characteristic's type is refused without the app") { world in
                let text = TypedMutableCharacteristic(uuid: .characteristic(0), value: "a")
                let number = TypedMutableCharacteristic<UInt16>(uuid: .characteristic(1), value: 1)
                let scene = try await PeripheralScene.connected(text.characteristic, number.characteristic, in: world)
                let expected: ATTError =
                    ATTError.valueNotAllowed.isSendable(on: scene.manager) ? .valueNotAllowed : .unlikelyError
                let (texts, numbers) = (text.writeRequests(), number.writeRequests())
                async let written: String? = {
                    for await request in texts {
                        request.accept()
                        return request.newValue
                    }
                    return nil
                }()
                async let counted: UInt16? = {
                    for await request in numbers {
                        request.accept()
                        return request.newValue
                    }
                    return nil
                }()
                try expectAnswer(try await scene.write([0xFF]), expected, "the write of what is no text")
                try expectAnswer(
                    try await scene.write([1], 1), .invalidAttributeValueLength, "the write of a byte too few")
                try expectEqual(text.value, "a", "the text")
                try expectEqual(number.value, 1, "the number")
                try expectAnswer(try await scene.write([0x62]), nil, "the write of a text")
                try expectAnswer(try await scene.write([2, 0], 1), nil, "the write of a number")
                try expectEqual(await written, "b", "what the app got first")
                try expectEqual(await counted, 2, "which number the app got first")
            },
            Behaviour("descriptors are found and read") { world in
                let characteristic = MutableCharacteristic(0, .read, value: [1])
                characteristic.descriptors = [MutableDescriptor(uuid: "2901", value: [0x41, 0x42])]
                let scene = try await PeripheralScene.connected(characteristic, in: world)
                let id = try require(try scene.remote().descriptors["2901"], "the descriptor")
                try expectEqual(try await scene.far.read(id), .success([0x41, 0x42]), "its value")
            },
            Behaviour("characteristics of one UUID have values of their own") { world in
                let scene = try await PeripheralScene.connected(
                    MutableCharacteristic(0, .read, value: [1]), MutableCharacteristic(0, .read, value: [2]), in: world)
                let remotes = scene.found.flatMap(\.characteristics).filter { $0.uuid == .characteristic(0) }
                try expectEqual(remotes.count, 2, "how many there are")
                try expectEqual(try await scene.far.read(remotes[0].id), .success([1]), "the first value")
                try expectEqual(try await scene.far.read(remotes[1].id), .success([2]), "the second value")
            },
        ]
}
