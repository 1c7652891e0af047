// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Determinism of a manager", .timeLimit(.minutes(60)))
struct ManagerDeterminismTests {
    private actor Log {
        private let clock: BlueCapClock
        private(set) var lines: [String] = []

        init(clock: BlueCapClock) { self.clock = clock }

        func add(_ line: String) { lines.append("\(clock.elapsed) \(line)") }
    }

    /// Many consumers of many peripherals, and a radio that is switched off and on under them.
    private func trace() async throws -> [String] {
        try await VirtualRadio.run(seed: 3, limit: .seconds(600)) { radio in
            let tags = (1...6).map { number in
                VirtualPeripheral(name: "Tag \(number)") {
                    service(VirtualCharacteristic("FFF1", properties: [.read, .notify], value: [UInt8(number)]))
                }
            }
            tags.forEach(radio.add)
            let adapter = radio.adapter()
            let manager = CentralManager(
                backend: radio.central(on: adapter), configuration: .init(clock: radio.clock))
            let log = Log(clock: radio.clock)
            try await manager.whenPoweredOn()
            await withTaskGroup(of: Void.self) { group in
                for tag in tags { group.addTask { await self.play(tag, manager, log, radio.clock) } }
                for number in 1...3 {
                    group.addTask {
                        for await event in manager.connectionEvents() {
                            await log.add("consumer \(number): \(event.peripheral.displayName) \(event.event)")
                        }
                    }
                }
                try? await radio.clock.sleep(for: .seconds(20))
                adapter.powerOff()
                try? await radio.clock.sleep(for: .seconds(5))
                adapter.powerOn()
                try? await radio.clock.sleep(for: .seconds(20))
                group.cancelAll()
            }
            await manager.invalidate()
            return await log.lines
        }
    }

    private func play(_ tag: VirtualPeripheral, _ manager: CentralManager, _ log: Log, _ clock: BlueCapClock) async {
        do {
            let found = try await manager.firstDiscovery(options: ScanOptions(namePrefix: tag.name))
            let peripheral = found.peripheral
            peripheral.reconnectPolicy = ReconnectPolicy(maximumTimeouts: 3, maximumDisconnections: 3)
            try await peripheral.connect(timeout: .seconds(5))
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic("FFF1")
            await withTaskGroup(of: Void.self) { group in
                for number in 1...3 {
                    group.addTask {
                        do {
                            for try await value in try await characteristic.notifications(onDisconnect: .resubscribe) {
                                await log.add("\(tag.name) listener \(number): \(value)")
                            }
                        } catch {
                            await log.add("\(tag.name) listener \(number): \(error)")
                        }
                    }
                }
                for value: UInt8 in 0..<40 {
                    tag.characteristic("FFF1")?.notify([value])
                    try? await clock.sleep(for: .seconds(1))
                }
            }
        } catch {
            await log.add("\(tag.name): \(error)")
        }
    }

    @Test func `the same seed gives its consumers the same in the same order`() async throws {
        let first = try await trace()
        #expect(first.count > 100)
        for _ in 0..<5 {
            let again = try await trace()
            let difference = zip(first, again).enumerated().first { $1.0 != $1.1 }
            #expect(again == first, "first difference: \(String(describing: difference))")
        }
    }
}
