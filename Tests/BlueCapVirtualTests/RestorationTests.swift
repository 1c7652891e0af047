// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Programs that are killed and restored on the virtual radio", .timeLimit(.minutes(60)))
struct RestorationTests {
    private static func configuration(_ radio: VirtualRadio) -> CentralManager.Configuration {
        .init(clock: radio.clock, restoreIdentifier: "app")
    }

    private static func peripheralConfiguration(_ radio: VirtualRadio) -> PeripheralManager.Configuration {
        .init(clock: radio.clock, restoreIdentifier: "app")
    }

    @Test
    func `a central's link survives it, and its successor has the notifications on before it hears of the link`()
        async throws
    {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [100])
            let tag = VirtualPeripheral(name: "Tag", services: [VirtualService("180F") { level }])
            radio.add(tag)
            for round in 1...10 {
                let backend = radio.central()
                let manager = CentralManager(backend: backend, configuration: Self.configuration(radio))
                let restored = try await manager.restoredState()
                #expect((restored == nil) == (round == 1))
                try await manager.whenPoweredOn(timeout: .seconds(1))
                let characteristic: Characteristic
                if let restored {
                    characteristic = try #require(restored.characteristics.first)
                    let peripheral = try #require(restored.peripherals.first)
                    let start = radio.clock.elapsed
                    try await peripheral.connect(timeout: .seconds(5))
                    #expect(radio.clock.elapsed - start < .seconds(3))
                    #expect(characteristic.isNotifying)
                } else {
                    let found = try await manager.firstDiscovery(timeout: .seconds(10))
                    try await found.peripheral.connect(timeout: .seconds(10))
                    try await found.peripheral.discover(timeout: .seconds(10))
                    characteristic = try found.peripheral.characteristic("2A19")
                }
                level.notify([UInt8(round)])
                var values = try await characteristic.notifications(timeout: .seconds(5)).makeAsyncIterator()
                if round == 1 { level.notify([UInt8(round)]) }
                #expect(try await values.next() == [UInt8(round)])
                #expect(tag.connectionCount == 1)
                backend.kill()
                // Time for the adapter to act on the end of the program.
                try await radio.clock.sleep(for: .seconds(1))
                #expect(tag.connectionCount == 1)
            }
        }
    }

    @Test
    func `a peripheral's services and advertisement come back where they were, and centrals stay connected`()
        async throws
    {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let central = CentralManager(
                backend: radio.central(), configuration: .init(clock: radio.clock))
            try await central.whenPoweredOn(timeout: .seconds(1))
            var handles: [AttributeID] = []
            var peripheral: Peripheral?
            for round in 1...10 {
                let backend = radio.peripheral()
                let manager = PeripheralManager(backend: backend, configuration: Self.peripheralConfiguration(radio))
                let restored = try await manager.restoredState()
                #expect((restored == nil) == (round == 1))
                try await manager.whenPoweredOn(timeout: .seconds(1))
                let characteristic: MutableCharacteristic
                if let restored {
                    characteristic = try #require(restored.characteristics.last)
                    #expect(restored.characteristics.first?.value == [7])
                    #expect(restored.advertisement?.localName == "Ours")
                } else {
                    // Services before it, so that it would stand elsewhere if it did not ask for its place.
                    let other = MutableService(uuid: "FFE0")
                    try await manager.add(other, timeout: .seconds(1))
                    characteristic = MutableCharacteristic(uuid: "FFF1", value: [1])
                    let fixed = MutableCharacteristic(uuid: "FFF2", properties: .read, value: [7])
                    let service = MutableService(uuid: "FFF0")
                    service.characteristics = [fixed, characteristic]
                    try await manager.add(service, timeout: .seconds(1))
                    try await manager.remove(other, timeout: .seconds(1))
                    try await manager.startAdvertising("Ours", timeout: .seconds(1))
                }
                let known: Peripheral
                if let peripheral {
                    known = peripheral
                } else {
                    known = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
                    try await known.connect(timeout: .seconds(10))
                }
                peripheral = known
                #expect(known.isConnected)
                try await radio.clock.sleep(for: .seconds(2))
                #expect(manager.isAdvertising)
                try await known.discover(timeout: .seconds(10))
                let remote = try known.characteristic("FFF1")
                handles.append(remote.id)
                var values = try await remote.notifications(timeout: .seconds(5)).makeAsyncIterator()
                try characteristic.update([UInt8(round)])
                #expect(try await values.next() == [UInt8(round)])
                backend.kill()
                try await radio.clock.sleep(for: .seconds(1))
            }
            #expect(Set(handles).count == 1)
            await central.invalidate()
        }
    }

    @Test(arguments: [true, false])
    func `links to a program that was killed end with the radio that keeps them`(isUnplugged: Bool) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let adapter = radio.adapter(address: "C0:DE:00:00:00:01")
            let backend = radio.peripheral(address: "C0:DE:00:00:00:01")
            let manager = PeripheralManager(backend: backend)
            try await manager.whenPoweredOn()
            try await manager.startAdvertising("Ours")
            let central = CentralManager(backend: radio.central(address: "C0:DE:00:00:00:02"))
            try await central.whenPoweredOn()
            let known = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
            try await known.connect(timeout: .seconds(10))
            backend.kill()
            if isUnplugged { adapter.unplug() } else { adapter.powerOff() }
            try await radio.clock.sleep(for: .seconds(10))
            #expect(known.state == .disconnected)
        }
    }

    @Test func `a kill ends what is being connected in the order of the addresses`() async throws {
        let ended = Locked<[PeerIdentifier]>([])
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let backend = radio.central()
            let recorder = await Recorder.on(backend)
            _ = radio.observe { event in
                if case .closed(let link, _, _) = event { ended.withLock { $0.append(link.peripheral) } }
            }
            for number in 1...12 {
                // A link with so long an interval is not reported for a while.
                let tag = VirtualPeripheral(name: "Tag \(number)", connection: .init(interval: .seconds(4)))
                radio.add(tag)
                await recorder.begin(connecting: tag.identifier)
            }
            try await radio.clock.sleep(for: .seconds(1))
            backend.kill()
            try await radio.clock.sleep(for: .seconds(10))
        }
        let order = ended.withLock { $0 }
        #expect(order.count == 12)
        #expect(order == order.sorted())
    }

    @Test func `what a killed program still calls returns, and leaves the link to its successor`() async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let tag = VirtualPeripheral(name: "Tag", services: [VirtualService("180F")])
            radio.add(tag)
            let backend = radio.central()
            let killed = CentralManager(backend: backend, configuration: Self.configuration(radio))
            try await killed.whenPoweredOn(timeout: .seconds(1))
            let before = try await killed.firstDiscovery(timeout: .seconds(10)).peripheral
            try await before.connect(timeout: .seconds(10))
            backend.kill()
            let successor = CentralManager(backend: radio.central(), configuration: Self.configuration(radio))
            let restored = try #require(try await successor.restoredState())
            try await successor.whenPoweredOn(timeout: .seconds(1))
            let after = try #require(restored.peripherals.first)
            try await after.connect(timeout: .seconds(5))

            await #expect(throws: PeripheralError.poweredOff) { try await before.discoverServices() }
            await before.disconnect()
            await killed.invalidate()
            try await radio.clock.sleep(for: .seconds(1))
            #expect(after.isConnected)
            #expect(tag.connectionCount == 1)
        }
    }

    @Test func `what was killed tells nothing once it has been ended, not even what it still owes`() async throws {
        try await VirtualRadio.run(seed: 1) { radio in
            let (central, peripheral) = (radio.central(), radio.peripheral())
            let (told, served) = (await Recorder.on(central), await ServerRecorder.on(peripheral))
            central.kill()
            peripheral.kill()
            let before = (await told.entries.count, await served.events.count)
            let id = RequestID(rawValue: 1)
            central.onExecutor { backend in
                backend.perform(CentralRequest(id: id, operation: .retrieveConnected(services: [])))
                backend.invalidate()
            }
            peripheral.onExecutor { backend in
                backend.perform(PeripheralRequest(id: id, operation: .remove(AttributeID(handle: 1))))
                backend.invalidate()
            }
            try await radio.clock.sleep(for: .seconds(1))
            #expect(await told.entries.count == before.0)
            #expect(await served.events.count == before.1)
        }
    }
}
