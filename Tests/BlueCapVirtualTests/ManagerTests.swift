// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A central manager on the virtual radio", .timeLimit(.minutes(60)))
struct ManagerTests {
    private func run(
        seed: UInt64 = 1,
        _ body: @escaping @Sendable (CentralManager, VirtualPeripheral, VirtualRadio) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: seed, limit: .seconds(600)) { radio in
            let tag = VirtualPeripheral(
                name: "Tag",
                services: [
                    VirtualService("FFF0") {
                        VirtualCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1])
                    }
                ])
            radio.add(tag)
            let manager = CentralManager(
                backend: radio.central(), configuration: CentralManager.Configuration(clock: radio.clock))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            try await body(manager, tag, radio)
            await manager.invalidate()
        }
    }

    @Test func `takes the radio's clock unless it is given another`() async throws {
        try await VirtualRadio.run(limit: .seconds(600)) { radio in
            let manager = CentralManager(backend: radio.central())
            try await manager.whenPoweredOn(timeout: .seconds(1))
            let start = radio.clock.elapsed
            await #expect(throws: CentralManagerError.serviceScanTimeout) {
                _ = try await manager.firstDiscovery(timeout: .seconds(300))
            }
            #expect(radio.clock.elapsed - start == .seconds(300))
            #expect(PeripheralManager(backend: radio.peripheral()).clock.elapsed == radio.clock.elapsed)
        }
    }

    @Test func `over the backend of another manager has the radio's clock too`() async throws {
        try await VirtualRadio.run(limit: .seconds(600)) { radio in
            let (near, far) = (radio.central(), radio.peripheral())
            let first = (CentralManager(backend: near), PeripheralManager(backend: far))
            let second = (CentralManager(backend: near), PeripheralManager(backend: far))
            try await radio.clock.sleep(for: .seconds(300))
            #expect(second.0.clock.elapsed == radio.clock.elapsed)
            #expect(second.1.clock.elapsed == radio.clock.elapsed)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `finds, connects, reads, writes and hears a peripheral`() async throws {
        try await run { manager, tag, _ in
            let found = try await manager.firstDiscovery(for: ["FFF0"], timeout: .seconds(10))
            let peripheral = found.peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic("FFF1")
            #expect(try await characteristic.read(timeout: .seconds(1)) == [1])
            try await characteristic.write([2], timeout: .seconds(1))
            #expect(tag.characteristic("FFF1")?.value == [2])
            let notifications = try await characteristic.notifications(timeout: .seconds(1))
            tag.characteristic("FFF1")?.notify([[3], [4], [5]])
            var heard: [Bytes] = []
            for try await value in notifications {
                heard.append(value)
                if heard.count == 3 { break }
            }
            #expect(heard == [[3], [4], [5]])
            await peripheral.disconnect()
            #expect(tag.connectionCount == 0)
        }
    }

    @Test func `gives up connecting to a vanished peripheral at the timeout`() async throws {
        try await run { manager, tag, radio in
            let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
            tag.vanish()
            let start = radio.clock.elapsed
            await #expect(throws: PeripheralError.connectionTimeout) {
                try await peripheral.connect(timeout: .seconds(7))
            }
            #expect(radio.clock.elapsed - start == .seconds(7))
        }
    }

    @Test func `frees a read that is held at its timeout, and reads again after the release`() async throws {
        try await run { manager, tag, _ in
            let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic("FFF1")
            tag.characteristic("FFF1")?.hold(.read)
            await #expect(throws: CharacteristicError.readTimeout) {
                try await characteristic.read(timeout: .seconds(3))
            }
            tag.characteristic("FFF1")?.release(.read)
            #expect(try await characteristic.read(timeout: .seconds(3)) == [1])
        }
    }
}
