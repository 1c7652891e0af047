// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A central and a peripheral manager on one virtual radio", .timeLimit(.minutes(60)))
struct TwoManagersTests {
    /// A peripheral manager that offers FFF1 in FFF0 under the name "Ours", and a central manager.
    private func run(
        _ body:
            @escaping @Sendable (CentralManager, PeripheralManager, MutableCharacteristic, VirtualAdapter) async throws
            ->
            Void
    ) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let adapter = radio.adapter(address: "C0:DE:00:00:00:77")
            let manager = PeripheralManager(
                backend: radio.peripheral(on: adapter), configuration: .init(clock: radio.clock))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            let characteristic = MutableCharacteristic(uuid: "FFF1", value: [1])
            let service = MutableService(uuid: "FFF0")
            service.characteristics = [characteristic]
            try await manager.add(service, timeout: .seconds(1))
            try await manager.startAdvertising("Ours", serviceUUIDs: ["FFF0"], timeout: .seconds(1))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(1))
            try await body(central, manager, characteristic, adapter)
            await central.invalidate()
            await manager.invalidate()
        }
    }

    private func connect(_ central: CentralManager) async throws -> Characteristic {
        let found = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(10))
        try await found.peripheral.connect(timeout: .seconds(10))
        try await found.peripheral.discover(timeout: .seconds(10))
        return try found.peripheral.characteristic("FFF1")
    }

    @Test func `read, write and notify each other`() async throws {
        try await run { central, _, local, _ in
            let remote = try await connect(central)
            #expect(try await remote.read(timeout: .seconds(1)) == [1])
            do throws(CharacteristicError) {
                try await remote.write([2], timeout: .seconds(1))
                Issue.record("a write that nobody accepts succeeded")
            } catch {
                #expect(error == .att(.requestNotSupported))
            }
            let requests = local.writeRequests()
            async let answered: Void = {
                for await request in requests {
                    if request.value == [9] { return _ = request.respond(.outOfRange) }
                    request.accept()
                }
            }()
            try await remote.write([3, 4], timeout: .seconds(1))
            #expect(local.value == [3, 4])
            await #expect(throws: CharacteristicError.att(.outOfRange)) {
                try await remote.write([9], timeout: .seconds(1))
            }
            await answered
            #expect(try await remote.read(timeout: .seconds(1)) == [3, 4])

            try local.update([5])
            let values = try await remote.notifications(timeout: .seconds(1))
            try local.update([6])
            try local.update([7])
            var heard: [Bytes] = []
            for try await value in values {
                heard.append(value)
                if heard.count == 3 { break }
            }
            #expect(heard == [[5], [6], [7]])
        }
    }

    @Test(arguments: [false, true])
    func `find each other again after the peripheral's radio was off, or gone`(isUnplugged: Bool) async throws {
        try await run { central, manager, local, adapter in
            let remote = try await connect(central)
            let values = try await remote.notifications(timeout: .seconds(1))
            #expect(local.subscribers.count == 1)
            var states = manager.states().makeAsyncIterator()
            _ = await states.next()
            if isUnplugged { adapter.unplug() } else { adapter.powerOff() }
            _ = await states.next()
            #expect(local.subscribers.isEmpty)
            #expect(!manager.isAdvertising)
            local.value = [8]
            if isUnplugged { adapter.plugIn() } else { adapter.powerOn() }
            _ = await states.next()
            withExtendedLifetime(values) {}
            await central.disconnectAllPeripherals()
            let again = try await connect(central)
            #expect(try await again.read(timeout: .seconds(1)) == [8])
            #expect(manager.isAdvertising)
        }
    }
}
