// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("The links of a program's own adapter", .timeLimit(.minutes(60)))
struct AdapterLinkTests {
    /// A program that is a device with FFF1 in FFF0, and another one that is connected to it.
    private struct Pair: Sendable {
        let device: VirtualAdapter
        let phone: VirtualAdapter
        let manager: PeripheralManager
        let local: MutableCharacteristic
        let central: CentralManager
        let peripheral: Peripheral
        let remote: Characteristic
        let clock: BlueCapClock

        /// The time that a read takes.
        func timeOfRead() async throws -> Duration {
            let start = clock.elapsed
            _ = try await remote.read(timeout: .seconds(30))
            return clock.elapsed - start
        }

        /// Connects again, with the parameters of now.
        func reconnect() async throws {
            await peripheral.disconnect()
            try await peripheral.connect(timeout: .seconds(60))
            try await peripheral.discover(timeout: .seconds(60))
        }

        func read() async throws -> Bytes {
            try await peripheral.characteristic("FFF1").read(timeout: .seconds(20))
        }
    }

    private func run(
        _ connection: VirtualConnection? = nil, _ body: @escaping @Sendable (Pair) async throws -> Void
    ) async throws {
        try await VirtualRadio.run { radio in
            var configuration = VirtualAdapter.Configuration()
            if let connection { configuration.connection = connection }
            let device = radio.adapter(address: "C0:DE:00:00:00:77", configuration: configuration)
            let manager = PeripheralManager(backend: radio.peripheral(on: device))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            let local = MutableCharacteristic(
                uuid: "FFF1", properties: [.read, .writeWithoutResponse, .notify], value: [1])
            let service = MutableService(uuid: "FFF0")
            service.characteristics = [local]
            try await manager.add(service, timeout: .seconds(1))
            try await manager.startAdvertising("Ours", serviceUUIDs: ["FFF0"], timeout: .seconds(1))
            let backend = radio.central()
            let central = CentralManager(backend: backend)
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover(timeout: .seconds(60))
            try await body(
                Pair(
                    device: device, phone: backend.adapter, manager: manager, local: local, central: central,
                    peripheral: peripheral, remote: peripheral.characteristic("FFF1"), clock: radio.clock))
            await central.invalidate()
            await manager.invalidate()
        }
    }

    @Test func `have an interval of 45 ms, and packets of 517 bytes`() async throws {
        try await run { pair in
            #expect(pair.device.connection.interval == .milliseconds(45))
            #expect(pair.device.connection.packetsPerEvent == 4)
            let time = try await pair.timeOfRead()
            #expect(time <= .milliseconds(90))
            #expect(pair.peripheral.maximumWriteLength(for: .withoutResponse) == 512)
        }
    }

    @Test func `have the interval that the adapter is made with, or another one from the next link on`() async throws {
        try await run(VirtualConnection(interval: .seconds(1))) { pair in
            #expect(try await pair.timeOfRead() > .seconds(1))
            pair.device.changeConnection(to: VirtualConnection(interval: .milliseconds(15)))
            #expect(try await pair.timeOfRead() > .seconds(1))
            try await pair.reconnect()
            let start = pair.clock.elapsed
            _ = try await pair.read()
            #expect(pair.clock.elapsed - start <= .milliseconds(30))
        }
    }

    @Test(arguments: [1, 4])
    func `send as many packets at an event as the adapter is made with`(count: Int) async throws {
        try await run(VirtualConnection(interval: .seconds(1), packetsPerEvent: count)) { pair in
            let requests = pair.local.writeRequests(capacity: .unbounded)
            let start = pair.clock.elapsed
            async let arrived = {
                var times: [Duration] = []
                for await request in requests {
                    request.accept()
                    times.append(pair.clock.elapsed - start)
                    if times.count == 40 { break }
                }
                return times
            }()
            for number in 0..<40 as Range<UInt8> {
                try await pair.remote.write([number], kind: .withoutResponse, timeout: .seconds(60))
            }
            #expect(await Set(arrived).count == 40 / count)
        }
    }

    @Test func `have packets of the size that the adapter is made with, and change it while they stand`() async throws {
        try await run(VirtualConnection(maximumTransmissionUnit: 23)) { pair in
            #expect(pair.peripheral.maximumWriteLength(for: .withoutResponse) == 20)
            pair.device.changeConnection(to: VirtualConnection(maximumTransmissionUnit: 100))
            try await pair.clock.sleep(for: .seconds(1))
            #expect(pair.peripheral.maximumWriteLength(for: .withoutResponse) == 97)
        }
    }

    @Test(arguments: [false, true])
    func `lose packets and are late, or are lost, at either end`(isCentral: Bool) async throws {
        try await run { pair in
            let adapter = isCentral ? pair.phone : pair.device
            adapter.setPacketLoss(0.7)
            var longest = Duration.zero
            for _ in 0..<20 { longest = max(longest, try await pair.timeOfRead()) }
            #expect(longest > .milliseconds(200))
            let start = pair.clock.elapsed
            adapter.setPacketLoss(1)
            for await event in pair.peripheral.connectionEvents() where event != .connected { break }
            #expect(pair.clock.elapsed - start >= .seconds(4))
            adapter.setPacketLoss(0)
            try await pair.reconnect()
            #expect(try await pair.read() == [1])
        }
    }

    @Test func `are silent while the device's adapter is mute, and go on`() async throws {
        try await run { pair in
            let values = try await pair.remote.notifications(timeout: .seconds(1))
            pair.device.mute()
            try pair.local.update([2])
            await #expect(throws: CharacteristicError.readTimeout) { try await pair.remote.read(timeout: .seconds(5)) }
            #expect(pair.peripheral.isConnected)
            pair.device.unmute()
            for try await value in values where value == [2] { break }
        }
    }

    @Test func `are slow while the device's adapter is`() async throws {
        try await run { pair in
            pair.device.slow(by: .seconds(3))
            let late = try await pair.timeOfRead()
            pair.device.slow(by: .zero)
            let early = try await pair.timeOfRead()
            #expect(late >= .seconds(3))
            #expect(early < .seconds(1))
        }
    }

    @Test func `are weaker with the distance, and lost out of range`() async throws {
        try await run { pair in
            pair.device.move(to: .metres(1))
            let near = try await pair.peripheral.readRSSI()
            pair.device.move(to: .metres(50))
            #expect(pair.device.proximity == .metres(50))
            #expect(try await pair.peripheral.readRSSI() < near - 20)
            pair.device.move(to: .outOfRange)
            for await event in pair.peripheral.connectionEvents() where event != .connected { break }
            pair.device.move(to: .near)
            try await pair.reconnect()
            #expect(try await pair.read() == [1])
        }
    }

    @Test(arguments: [false, true])
    func `end on both sides when the adapter of one of them vanishes`(isCentral: Bool) async throws {
        try await run { pair in
            let adapter = isCentral ? pair.phone : pair.device
            _ = try await pair.remote.notifications(timeout: .seconds(1))
            let ends = pair.local.subscriptions()
            adapter.vanish()
            await #expect(throws: CharacteristicError.self) { try await pair.remote.read(timeout: .seconds(60)) }
            for await _ in ends where pair.local.subscribers.isEmpty { break }
            await #expect(throws: CentralManagerError.self) {
                try await pair.central.firstDiscovery(timeout: .seconds(10))
            }
            adapter.reappear()
            try await pair.reconnect()
            #expect(try await pair.read() == [1])
        }
    }

    @Test func `are one at a time for each central, also when its radio was gone unheard`() async throws {
        try await run { pair in
            let events = pair.manager.centralEvents()
            pair.phone.unplug()
            pair.phone.plugIn()
            try await pair.central.whenPoweredOn(timeout: .seconds(1))
            try await pair.peripheral.connect(timeout: .seconds(60))
            var kinds: [String] = []
            for await event in events.prefix(2) { kinds.append("\(event.kind)".prefix { $0 != "(" }.description) }
            #expect(kinds == ["disconnected", "connected"])
            #expect(pair.manager.centrals().map(\.identifier) == [PeerIdentifier(pair.phone.address)])
            try await pair.peripheral.discover(timeout: .seconds(60))
            #expect(try await pair.read() == [1])
        }
    }

    @Test func `of several programs on one adapter are one central, from the first to the last`() async throws {
        try await VirtualRadio.run { radio in
            let manager = PeripheralManager(backend: radio.peripheral(on: radio.adapter(address: "C0:DE:00:00:00:77")))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            try await manager.startAdvertising("Ours", timeout: .seconds(1))
            var links: [Peripheral] = []
            let programs = [CentralManager(backend: radio.central()), CentralManager(backend: radio.central())]
            for program in programs {
                try await program.whenPoweredOn(timeout: .seconds(1))
                let found = try await program.firstDiscovery(timeout: .seconds(10)).peripheral
                try await found.connect(timeout: .seconds(10))
                links.append(found)
                #expect(manager.centrals().count == 1)
            }
            await links[0].disconnect()
            #expect(manager.centrals().count == 1)
            await links[1].disconnect()
            try await radio.clock.sleep(for: .seconds(1))
            #expect(manager.centrals().isEmpty)
            #expect(manager.centralLinkStatistics.connectionCount == 1)
            for program in programs { await program.invalidate() }
            await manager.invalidate()
        }
    }

    @Test func `end together, and are refused, when the device's adapter is told to`() async throws {
        try await run { pair in
            pair.device.refuseConnections()
            pair.device.disconnectCentrals()
            for await event in pair.peripheral.connectionEvents() where event != .connected { break }
            await #expect(throws: PeripheralError.self) { try await pair.peripheral.connect(timeout: .seconds(10)) }
            pair.device.refuseConnections(false)
            try await pair.reconnect()
            #expect(try await pair.read() == [1])
        }
    }

    @Test func `cannot be advertised for while the adapter refuses advertisements`() async throws {
        try await run { pair in
            try await pair.manager.stopAdvertising()
            pair.device.refuseAdvertisements()
            do throws(PeripheralManagerError) {
                try await pair.manager.startAdvertising("Ours", timeout: .seconds(1))
                Issue.record("an advertisement was not refused")
            } catch {
                guard case .backend = error else { throw error }
            }
            pair.device.refuseAdvertisements(false)
            try await pair.manager.startAdvertising("Ours", timeout: .seconds(1))
            #expect(pair.manager.isAdvertising)
        }
    }
}
