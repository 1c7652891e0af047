// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import CoreBluetooth
import Testing

/// Programs in the peripheral role that the system ended, and that begin again.
@Suite(.timeLimit(.minutes(60)))
struct RestoredPeripheralTests {
    private static func make(_ uuid: BluetoothUUID, _ characteristic: BluetoothUUID, _ value: Bytes) -> MutableService {
        let service = MutableService(uuid: uuid)
        service.characteristics = [
            MutableCharacteristic(
                uuid: characteristic, properties: [.read, .write, .notify], permissions: [.readable, .writeable],
                value: value)
        ]
        return service
    }

    /// Runs `body` with a far central that is connected to a program with two services, and has subscribed.
    private func run(
        _ body:
            @escaping @Sendable (StandInWorld, any FarCentral, _ first: AttributeID, _ second: AttributeID)
            async throws -> Void
    ) async throws {
        try await StandInWorld.run { world in
            let result: Result<Void, any Error>
            do {
                let manager = program(in: world)
                try await manager.whenPoweredOn()
                try await manager.add([Self.make("180F", "2A19", [1]), Self.make("FFE0", "FFE1", [2])])
                try await manager.startAdvertising("Ours", serviceUUIDs: ["180F"])
                let far = try await world.farCentral(0)
                let services = try await far.connect(to: far.hear { $0.localName == "Ours" })
                let characteristics = services.flatMap(\.characteristics)
                let first = try #require(characteristics.first { $0.uuid == "2A19" }).id
                let second = try #require(characteristics.first { $0.uuid == "FFE1" }).id
                try await far.subscribe(to: first, indications: false)
                try await body(world, far, first, second)
                result = .success(())
            } catch { result = .failure(error) }
            await world.close()
            try result.get()
        }
    }

    private func program(in world: StandInWorld) -> PeripheralManager {
        world.makePeripheralManager(over: CoreBluetoothPeripheralBackend(restoreIdentifier: "peripheral")) { $0 }
    }

    @Test func `R3: services, subscribers and the advertisement go on, and nothing is published again`() async throws {
        try await run { world, far, first, second in
            await world.host.terminateApp()
            // A read of the second service waits for the next program.
            let early = world.start { try await far.read(second) }
            let manager = program(in: world)
            let restored = try #require(try await manager.restoredState())
            #expect(restored.services.map(\.uuid) == ["180F", "FFE0"])
            #expect(restored.advertisement?.localName == "Ours")
            #expect(restored.advertisement?.serviceUUIDs == ["180F"])
            restored.characteristics[1].value = [9]
            try await manager.whenPoweredOn()
            #expect(try await early.value == .success([9]))
            #expect(try await world.wait { !restored.characteristics[0].subscribers.isEmpty })
            try restored.characteristics[0].update([5])
            #expect(try await far.received(from: first, count: 1) == [[5]])
            #expect(manager.isAdvertising)
            let services = try await far.discover()
            #expect(services.flatMap(\.characteristics).first { $0.uuid == "FFE1" }?.id == second)
            #expect(world.host.misuses.isEmpty)
        }
    }

    @Test func `R3: a service of an earlier version of the program is published anew`() async throws {
        try await run { world, far, _, _ in
            await world.host.terminateApp()
            // The journal of the new program has other contents than the platform.
            let store = MemoryRestorationStore()
            let backend = CoreBluetoothPeripheralBackend()
            let before = world.makePeripheralManager(over: backend, journal: store) { $0 }
            try await before.whenPoweredOn()
            try await before.add(Self.make("180F", "FFE7", [7]))
            store.closeAll()
            await before.invalidate()
            let restoring = CoreBluetoothPeripheralBackend(restoreIdentifier: "peripheral")
            let manager = world.makePeripheralManager(over: restoring, journal: store) { $0 }
            let restored = try #require(try await manager.restoredState())
            #expect(restored.services.map(\.uuid) == ["180F"])
            restored.characteristics[0].value = [7]
            try await manager.whenPoweredOn()
            try await world.elapse(.seconds(2))
            let services = try await far.discover()
            let battery = services.filter { $0.uuid == "180F" }
            #expect(battery.map { $0.characteristics.map(\.uuid) } == [["FFE7"]])
        }
    }

    @Test(arguments: [true, false])
    func `M6: a radio that is not on at the launch has the services, or gets them again`(
        _ isReset: Bool
    ) async throws {
        try await run { world, far, _, _ in
            await world.host.terminateApp()
            let adapter = world.host.adapter
            if isReset { adapter.unplug() } else { adapter.powerOff() }
            let manager = program(in: world)
            let restored = try #require(try await manager.restoredState())
            for characteristic in restored.characteristics { characteristic.value = [4] }
            // The far central notices by the supervision timeout.
            try await world.elapse(.seconds(30))
            if isReset { adapter.plugIn() } else { adapter.powerOn() }
            try await manager.whenPoweredOn(timeout: .seconds(10))
            let services = try await far.connect(to: far.hear { $0.localName == "Ours" })
            #expect(Set(services.map(\.uuid)).isSuperset(of: ["180F", "FFE0"]))
            let level = try #require(services.flatMap(\.characteristics).first { $0.uuid == "2A19" })
            #expect(try await far.read(level.id) == .success([4]))
        }
    }
}
