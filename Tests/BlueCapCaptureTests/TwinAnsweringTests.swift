// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapCapture

/// Twins that answer writes, on the virtual radio and with a manager.
@Suite(.timeLimit(.minutes(60)))
struct TwinAnsweringTests {
    enum Stage: CaseIterable { case virtual, manager }

    private static let twin = Twin(
        name: "Lock",
        services: [
            TwinService(
                "FFF0",
                characteristics: [
                    TwinCharacteristic(
                        "FFF1", properties: [.write, .writeWithoutResponse],
                        answers: [
                            TwinAnswer(
                                write: [1],
                                replies: [
                                    TwinReply("FFF2", after: .milliseconds(500), value: [0xA1]),
                                    TwinReply("FFF2", after: .seconds(1), value: [0xA2]),
                                    TwinReply("2A19", value: [42]),
                                ]), TwinAnswer(write: [2], replies: [TwinReply("FFF2", value: [0xB1])]),
                            TwinAnswer(write: [4], replies: [TwinReply("FFF2", after: .seconds(60), value: [0xD1])]),
                            TwinAnswer(write: nil, replies: [TwinReply("FFF2", value: [0xFF])]),
                        ]), TwinCharacteristic("FFF2", properties: [.read, .notify]),
                ]),
            TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read, value: [100])]),
        ])

    /// Runs `body` with a central that is connected to the twin.
    private func run(
        _ stage: Stage, _ body: @escaping @Sendable (Peripheral, VirtualRadio) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(on: radio.adapter(address: "C0:DE:00:00:00:77")),
                configuration: .init(clock: radio.clock))
            let central = CentralManager(backend: radio.central(), configuration: .init(clock: radio.clock))
            try await withThrowingTaskGroup(of: Void.self) { group in
                switch stage {
                case .virtual: radio.add(twin: Self.twin)
                case .manager:
                    let device = TwinPeripheral(Self.twin)
                    try await manager.whenPoweredOn(timeout: .seconds(1))
                    try await manager.add(device.services)
                    try await device.startAdvertising(on: manager)
                    group.addTask { await device.run(on: manager, clock: radio.clock) }
                }
                defer { group.cancelAll() }
                try await central.whenPoweredOn(timeout: .seconds(1))
                let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
                try await peripheral.connect(timeout: .seconds(10))
                try await peripheral.discover()
                try await body(peripheral, radio)
            }
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test(arguments: Stage.allCases)
    func `a write has its replies at their times, and values that are read`(stage: Stage) async throws {
        try await run(stage) { peripheral, radio in
            let command = try peripheral.characteristic("FFF1")
            var results = try await peripheral.characteristic("FFF2").notifications().makeAsyncIterator()
            let start = radio.clock.elapsed
            try await command.write([1])
            #expect(try await results.next() == [0xA1])
            let first = radio.clock.elapsed - start
            #expect(try await results.next() == [0xA2])
            let second = radio.clock.elapsed - start
            #expect(first >= .milliseconds(500) && first < .milliseconds(800), "\(first)")
            #expect(second >= .seconds(1) && second < .milliseconds(1300), "\(second)")
            try await radio.clock.sleep(for: .milliseconds(200))
            #expect(try await peripheral.characteristic("2A19").read() == [42])
            #expect(try await peripheral.characteristic("FFF2").read() == [0xA2])
        }
    }

    @Test(arguments: Stage.allCases)
    func `writes are answered one after the other, and one without a rule by that of every write`(
        stage: Stage
    ) async throws {
        try await run(stage) { peripheral, _ in
            let command = try peripheral.characteristic("FFF1")
            var results = try await peripheral.characteristic("FFF2").notifications().makeAsyncIterator()
            for value: Bytes in [[1], [2], [3, 4]] { try await command.write(value, kind: .withoutResponse) }
            var values: [Bytes?] = []
            for _ in 0..<4 { values.append(try await results.next()) }
            #expect(values == [[0xA1], [0xA2], [0xB1], [0xFF]])
        }
    }

    @Test(arguments: Stage.allCases)
    func `more writes than may wait are kept, and not answered`(stage: Stage) async throws {
        try await run(stage) { peripheral, radio in
            let command = try peripheral.characteristic("FFF1")
            let results = try await peripheral.characteristic("FFF2").notifications(capacity: .newest(1000))
            try await command.write([4])
            // While the first one is answered, which takes a minute.
            for _ in 0..<TwinRules.maximumWaiting + 44 { try await command.write([2], kind: .withoutResponse) }
            try await radio.clock.sleep(for: .seconds(90))
            try await command.write([3])
            var count = 0
            for try await value in results {
                if value == [0xFF] { break }
                count += 1
            }
            // That of the first, and those that found room.
            #expect(count == TwinRules.maximumWaiting + 1)
        }
    }
}
