// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Determinism", .timeLimit(.minutes(60)))
struct DeterminismTests {
    /// A world in which everything that depends on chance happens.
    private func trace(seed: UInt64) async throws -> [String] {
        try await VirtualRadio.run(seed: seed) { radio in
            let peripherals = (1...5).map { number in
                VirtualPeripheral(
                    name: "Tag \(number)", proximity: .metres(Double(number) * 3),
                    services: [
                        service(VirtualCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1]))
                    ])
            }
            for peripheral in peripherals {
                radio.add(peripheral)
                peripheral.setPacketLoss(0.2)
            }
            let recorder = await Recorder.on(
                radio.central(configuration: .init(scanInterval: .milliseconds(60), scanWindow: .milliseconds(30))))
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            await withTaskGroup(of: Void.self) { group in
                for peripheral in peripherals {
                    group.addTask { await self.talk(to: peripheral, recorder, on: radio.clock) }
                }
            }
            try await radio.clock.sleep(for: .seconds(5))
            return await recorder.trace
        }
    }

    private func talk(to peripheral: VirtualPeripheral, _ recorder: Recorder, on clock: BlueCapClock) async {
        let id = peripheral.identifier
        for _ in 0..<3 {
            await recorder.begin(connecting: id)
            try? await peripheral.wait { $0.connectionCount == 1 }
            try? await clock.sleep(for: .seconds(2))
            for _ in 0..<5 {
                _ = await recorder.begin(.readRSSI(id))
                _ = await recorder.begin(.discoverServices(id, nil))
            }
            try? await clock.sleep(for: .seconds(1))
            await recorder.disconnect(id)
            try? await clock.sleep(for: .seconds(3))
        }
    }

    @Test func `the same seed gives the same events at the same times`() async throws {
        let first = try await trace(seed: 42)
        #expect(first.count > 100)
        for _ in 0..<5 { #expect(try await trace(seed: 42) == first) }
    }

    @Test func `another seed gives other events`() async throws {
        #expect(try await trace(seed: 1) != trace(seed: 2))
    }

    @Test func `the order of adding has no influence on a peripheral's own chance`() async throws {
        @Sendable func strengths(_ others: [String]) async throws -> [Int?] {
            try await VirtualRadio.run(seed: 7) { radio in
                for name in others { radio.add(VirtualPeripheral(name: name)) }
                radio.add(VirtualPeripheral(name: "Tag"))
                let recorder = await Recorder.on(radio.central())
                await recorder.scan(ScanRequest(allowsDuplicates: true))
                try await radio.clock.sleep(for: .seconds(5))
                return await recorder.entries.compactMap { entry in
                    if case .sighted(let sighting) = entry.event, sighting.name == "Tag" { sighting.rssi } else { nil }
                }
            }
        }
        #expect(try await strengths([]) == strengths(["A", "B"]))
    }
}
