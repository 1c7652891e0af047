// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Logging
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: write commands", .timeLimit(.minutes(60)))
struct WriteCommandTests {
    /// The commands that a stream keeps of 3,000, by its capacity.
    static let kept: [(StreamCapacity, Range<UInt16>)] = [
        (.newest(100), 2900..<3000), (.oldest(100), 0..<100), (.newest(2000), 1000..<3000), (.unbounded, 0..<3000),
    ]

    @Test(arguments: kept)
    func `of 3,000 commands to an app that does not read, the stream's capacity is kept and each other one is counted`(
        _ capacity: StreamCapacity, _ kept: Range<UInt16>
    ) async throws {
        let recorder = LogRecorder()
        try await PeripheralWorld.run(maximumOpenRequests: 10, logger: recorder.logger) { world in
            let characteristic = try await world.characteristic(properties: .writeWithoutResponse)
            let stream = characteristic.writeRequests(capacity: capacity)
            var doneCount = 0
            for value in 0..<UInt16(3000) {
                let access = try await world.write(SerDe.serialize(value), .command, to: characteristic)
                // The platform is done with it at once.
                if await world.backend.answers(to: access) == [.success([])] { doneCount += 1 }
            }
            #expect(doneCount == 3000)
            #expect(characteristic.droppedRequestCount == 3000 - kept.count)
            #expect(world.clock.timerCount == 0)
            let requests = await world.recorder(stream)
            #expect(requests.all.map(\.value) == kept.map { SerDe.serialize($0) })
            #expect(await world.manager.remains["accesses"] == nil)
        }
        let lines = recorder.texts
        #expect(lines.count == (kept.count == 3000 ? 0 : 1))
        #expect(lines.allSatisfy { $0.contains("is full") && $0.contains("2A19") })
    }

    @Test func `a command has no deadline, outlives its central, and is accepted once`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: .writeWithoutResponse, value: [1])
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write([2], .command, to: characteristic)
            await world.advance(by: .seconds(60))
            await world.emit(.accessCancelled(access))
            let request = try #require(requests.all.first)
            #expect(request.isOpen)
            #expect(request.accept())
            #expect(!request.accept() && !request.isOpen)
            #expect(characteristic.value == [2])
            _ = try await world.write([3], .command, to: characteristic)
            #expect(requests.all.last?.respond(.insufficientResources) == true)
            #expect(characteristic.value == [2])
            #expect(await world.answers(to: access).count == 1)
        }
    }

    /// The kinds of writes, the properties of their characteristics, the platform's features, and whether the writes
    /// take one of two places.
    static let places: [(WriteRequestKind, CharacteristicProperties, PeripheralFeatures, Bool)] = [
        (.command, [.write, .writeWithoutResponse], [], false), (.request, .write, [], true),
        (.prepared, .write, [], true), (.unknown, .write, .confirmsAmbiguousWrites, true),
        (.unknown, .writeWithoutResponse, .confirmsAmbiguousWrites, false),
        (.unknown, [.write, .writeWithoutResponse], .confirmsAmbiguousWrites, false),
        (.unknown, [.write, .writeWithoutResponse], [], true),
    ]

    @Test(arguments: places)
    func `a write takes one of the places for open requests only where somebody waits for its answer`(
        _ kind: WriteRequestKind, _ properties: CharacteristicProperties, _ features: PeripheralFeatures,
        _ takesPlace: Bool
    ) async throws {
        try await PeripheralWorld.run(features: features, maximumOpenRequests: 2) { world in
            let characteristic = try await world.characteristic(properties: properties)
            let requests = await world.recorder(characteristic.writeRequests())
            for value in 0..<5 as Range<UInt8> { _ = try await world.write([value], kind, to: characteristic) }
            #expect(requests.all.count == (takesPlace ? 2 : 5))
            #expect(characteristic.droppedRequestCount == (takesPlace ? 3 : 0))
            #expect(await world.manager.remains["accesses"] == (takesPlace ? 2 : nil))
        }
    }

    @Test func `a command that no stream takes is counted`() async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await world.characteristic(properties: [.write, .writeWithoutResponse])
            for value in 0..<5 as Range<UInt8> { _ = try await world.write([value], .command, to: characteristic) }
            #expect(characteristic.droppedRequestCount == 5)
            // The central is told of this one.
            let request = try await world.write([1], to: characteristic)
            #expect(await world.answers(to: request) == [.failure(.requestNotSupported)])
            #expect(characteristic.droppedRequestCount == 5)
        }
    }
}
