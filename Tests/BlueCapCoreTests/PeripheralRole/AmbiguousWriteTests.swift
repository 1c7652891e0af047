// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Logging
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: writes that the platform answers by itself", .timeLimit(.minutes(60)))
struct AmbiguousWriteTests {
    @Test func `the first write that no loop takes warns`() async throws {
        let recorder = LogRecorder()
        try await PeripheralWorld.run(logger: recorder.logger) { world in
            let characteristic = try await world.characteristic(properties: .write)
            for _ in 1...2 {
                let access = try await world.write([1], to: characteristic)
                #expect(await world.answers(to: access) == [.failure(.requestNotSupported)])
            }
        }
        let lines = recorder.texts
        #expect(lines.count == 1)
        #expect(lines.first?.contains("writeRequests()") == true)
    }

    @Test(
        arguments: [
            ([.write, .writeWithoutResponse], .confirmsAmbiguousWrites, 1), ([.write, .writeWithoutResponse], [], 0),
            (.write, .confirmsAmbiguousWrites, 0), (.writeWithoutResponse, .confirmsAmbiguousWrites, 0),
        ] as [(CharacteristicProperties, PeripheralFeatures, Int)])
    func `adding a characteristic that is written in both ways warns where the platform confirms such writes by itself`(
        _ properties: CharacteristicProperties, _ features: PeripheralFeatures, _ count: Int
    ) async throws {
        let recorder = LogRecorder()
        try await PeripheralWorld.run(features: features, logger: recorder.logger) { world in
            _ = try await world.characteristic(properties: properties)
        }
        let lines = recorder.texts
        #expect(lines.count == count)
        #expect(lines.allSatisfy { $0.contains("2A19") })
    }
}
