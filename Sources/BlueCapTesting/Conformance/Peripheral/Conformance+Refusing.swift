// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Reads and writes of a central that come to nothing.
    static let refusing: [Behaviour] =
        [
            Behaviour("a characteristic that may not be read refuses") { world in
                let scene = try await PeripheralScene.connected(
                    MutableCharacteristic(0, [.read, .write], permissions: .writeable, value: [1]), in: world)
                try expectAnswer(try await scene.read(), .readNotPermitted, "a read")
            },
            Behaviour("a characteristic that nobody answers for refuses writes") { world in
                let scene = try await PeripheralScene.connected(MutableCharacteristic(0, .write, value: [0]), in: world)
                try expectAnswer(try await scene.write([1]), .requestNotSupported, "a write")
                try expectEqual(scene.local().value, [0], "the value")
            },
            Behaviour("a characteristic that may not be written refuses") { world in
                let (scene, requests) = try await PeripheralScene.writable(
                    [.read, .write], permissions: .readable, in: world)
                try expectAnswer(try await scene.write([1]), .writeNotPermitted, "a write")
                withExtendedLifetime(requests) {}
            },
            Behaviour("a read request that the app drops is refused by itself") { world in
                let (scene, requests) = try await PeripheralScene.readable(.read, value: [1], in: world)
                async let answer = scene.read()
                _ = await requests.first { _ in true }
                try expectAnswer(try await answer, .unlikelyError, "the read")
            },
            Behaviour("a read request that the app never answers is refused when it is overdue") { world in
                let (scene, requests) = try await PeripheralScene.readable(.read, value: [1], in: world)
                async let answer = scene.read()
                let request = try require(await requests.first { _ in true }, "the request")
                // Ended with the scope: a real clock sleeps no longer than the answer takes.
                async let _: Void = world.elapse(.seconds(26))
                try expectAnswer(try await answer, .unlikelyError, "the read")
                try expect(!request.respond([2]), "it was answered too late")
            },
            Behaviour("a write request that the app drops is refused by itself") { world in
                let (scene, requests) = try await PeripheralScene.writable(.write, value: [0], in: world)
                async let answer = scene.write([1])
                _ = await requests.first { _ in true }
                try expectAnswer(try await answer, .unlikelyError, "the write")
                try expectEqual(scene.local().value, [0], "the value")
            },
            Behaviour("a write request that the app never answers is refused when it is overdue") { world in
                let (scene, requests) = try await PeripheralScene.writable(.write, value: [0], in: world)
                async let answer = scene.write([1])
                let request = try require(await requests.first { _ in true }, "the request")
                // Ended with the scope: a real clock sleeps no longer than the answer takes.
                async let _: Void = world.elapse(.seconds(26))
                try expectAnswer(try await answer, .unlikelyError, "the write")
                try expect(!request.accept(), "it was accepted too late")
                try expectEqual(scene.local().value, [0], "the value")
            },
        ]
        + (sendableErrors + [.readNotPermitted]).map(refusedRead)
        + (sendableErrors + [.writeNotPermitted]).flatMap {
            [refusedWrite($0, length: 1), refusedWrite($0, length: 400)]
        }
        + [unsendable]

    private static let sendableErrors: [ATTError] = [
        .requestNotSupported, .invalidOffset, .insufficientAuthorization, .invalidAttributeValueLength, .unlikelyError,
        .procedureAlreadyInProgress, ATTError(rawValue: 0x80), ATTError(rawValue: 0x9F),
    ]

    private static func refusedRead(_ error: ATTError) -> Behaviour {
        Behaviour("a read that the app refuses with \(error) fails with it at the central") { world in
            let (scene, requests) = try await PeripheralScene.readable(.read, value: [1], in: world)
            async let answer = scene.read()
            let request = try require(await requests.first { _ in true }, "the request")
            try expect(error.isSendable(on: scene.manager), "the error cannot be sent")
            try expect(request.respond(error), "the answer was refused")
            try expectAnswer(try await answer, error, "the read")
        }
    }

    private static func refusedWrite(_ error: ATTError, length: Int) -> Behaviour {
        let what = length > 1 ? "a long write" : "a write"
        return Behaviour("\(what) that the app refuses with \(error) fails with it at the central") { world in
            let (scene, requests) = try await PeripheralScene.writable(.write, value: [0], in: world)
            async let answer = scene.write(.pattern(count: length))
            let request = try require(await requests.first { _ in true }, "the request")
            try expectEqual(request.value.count, length, "how much is written")
            try expect(request.respond(error), "the answer was refused")
            try expectAnswer(try await answer, error, "the write")
            try expectEqual(scene.local().value, [0], "the value")
        }
    }

    private static let unsendable = Behaviour("an error that cannot be sent is told, and becomes 0x0E") { world in
        let (scene, requests) = try await PeripheralScene.writable(.write, in: world)
        async let answer = scene.write([1])
        let request = try require(await requests.first { _ in true }, "the request")
        let isSendable = ATTError.insufficientResources.isSendable(on: scene.manager)
        try expectEqual(request.respond(.insufficientResources), isSendable, "whether it could be sent")
        try expectAnswer(try await answer, isSendable ? .insufficientResources : .unlikelyError, "the write")
    }
}
