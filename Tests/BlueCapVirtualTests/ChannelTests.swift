// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("Channels between two managers", .timeLimit(.minutes(60)))
struct ChannelTests {
    private struct World: Sendable {
        let manager: PeripheralManager
        let central: CentralManager
        let peripheral: Peripheral
        let adapter: VirtualAdapter
        let clock: BlueCapClock
        let executor: any TaskExecutor
    }

    /// A peripheral manager that a central manager is connected to.
    private func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let adapter = radio.adapter(address: "C0:DE:00:00:00:77")
            let manager = PeripheralManager(
                backend: radio.peripheral(on: adapter), configuration: .init(acceptsJustWorks: true))
            try await manager.whenPoweredOn(timeout: .seconds(1))
            try await manager.startAdvertising("Ours", serviceUUIDs: ["FFF0"], timeout: .seconds(1))
            let central = CentralManager(
                backend: radio.central(), configuration: .init(acceptsJustWorks: true))
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(for: ["FFF0"], timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await body(
                World(
                    manager: manager, central: central, peripheral: peripheral, adapter: adapter, clock: radio.clock,
                    executor: radio.executor))
            await central.invalidate()
            await manager.invalidate()
            #expect(await central.remains.isEmpty)
            #expect(await manager.remains.isEmpty)
        }
    }

    @Test func `carry units both ways, on a PSM that the platform chooses`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            #expect(published.psm == 0x80)
            async let opened = world.peripheral.openChannel(psm: published.psm, timeout: .seconds(5))
            var accepted = published.makeAsyncIterator()
            let near = try #require(try await accepted.next())
            let far = try await opened
            #expect(near.peer == world.manager.centrals().first?.identifier)
            #expect(far.peer == world.peripheral.identifier)
            try await near.send([1, 2])
            try await far.send([3])
            var (nearUnits, farUnits) = (near.makeAsyncIterator(), far.makeAsyncIterator())
            #expect(try await nearUnits.next() == [3])
            #expect(try await farUnits.next() == [1, 2])
        }
    }

    @Test func `an echoing peripheral takes no more than it can send back, and loses nothing`() async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let device = VirtualPeripheral(name: "Echo")
            device.publish(TwinChannel(psm: 0x80, behaviour: .echo))
            radio.add(device)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            let channel = try await peripheral.openChannel(psm: 0x80, timeout: .seconds(5))
            async let sending: Void = { for number in 0..<200 { try await channel.send([UInt8(number)]) } }()
            try await radio.clock.sleep(for: .seconds(60))
            #expect(device.channelUnits(psm: 0x80).count < 50)
            var (units, iterator) = ([Bytes](), channel.makeAsyncIterator())
            while units.count < 200, let unit = try await iterator.next() { units.append(unit) }
            #expect(units == (0..<200).map { [UInt8($0)] })
            try await sending
            await central.invalidate()
        }
    }

    @Test func `a unit that goes out after its call was cancelled is counted`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            let far = try await world.peripheral.openChannel(psm: published.psm)
            var accepted = published.makeAsyncIterator()
            let near = try #require(try await accepted.next())
            await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for number in 0..<200 { try await far.send([UInt8(number)]) } }
                // The units that the reader holds up, and one more that waits for credits.
                try? await world.clock.sleep(for: .seconds(5))
                group.cancelAll()
            }
            let reading = Task(executorPreference: world.executor) {
                var count = 0
                for try await _ in near { count += 1 }
                return count
            }
            try await world.clock.sleep(for: .seconds(5))
            far.close()
            let count = try await reading.value
            #expect(count > 16)
            #expect(far.statistics.sentUnitCount == count)
        }
    }

    @Test func `leaving the loop takes the PSM back, and closes what was not taken`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel(psm: 0x90)
            let first = try await world.peripheral.openChannel(psm: 0x90)
            var taken: Channel?
            for try await channel in published {
                taken = channel
                break
            }
            await #expect(throws: ChannelError.refused(.psmNotSupported)) {
                try await world.peripheral.openChannel(psm: 0x90)
            }
            try await taken?.send([7])
            var units = first.makeAsyncIterator()
            #expect(try await units.next() == [7])
            var again: PublishedChannels? = try await world.manager.publishChannel(psm: 0x90)
            let second = try await world.peripheral.openChannel(psm: 0x90)
            #expect(again?.psm == 0x90)
            again = nil
            var end = second.makeAsyncIterator()
            #expect(try await end.next() == nil)
        }
    }

    @Test func `a PSM is published once, and those out of range not at all`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel(psm: 0x90)
            await #expect(throws: ChannelError.psmTaken(0x90)) { try await world.manager.publishChannel(psm: 0x90) }
            for psm: UInt16 in [0, 0x7F, 0x100] {
                await #expect(throws: ChannelError.psmOutOfRange(psm)) {
                    try await world.manager.publishChannel(psm: psm)
                }
            }
            #expect(published.psm == 0x90)
        }
    }

    @Test func `an encrypted PSM refuses a link without, and takes one that is paired`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel(encrypted: true)
            await #expect(throws: ChannelError.refused(.insufficientEncryption)) {
                try await world.peripheral.openChannel(psm: published.psm)
            }
            let channel = try await world.peripheral.openChannel(psm: published.psm, encrypted: true)
            #expect(world.peripheral.isBonded)
            #expect(channel.isOpen)
            withExtendedLifetime(published) {}
        }
    }

    @Test func `a peripheral's channels end with the link of their central`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            let far = try await world.peripheral.openChannel(psm: published.psm)
            var accepted = published.makeAsyncIterator()
            let near = try #require(try await accepted.next())
            await world.peripheral.disconnect()
            var units = near.makeAsyncIterator()
            await #expect(throws: ChannelError.disconnected) { try await units.next() }
            #expect(!far.isOpen)
        }
    }

    @Test func `a publication ends with the radio, with its error`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            world.adapter.powerOff()
            var accepted = published.makeAsyncIterator()
            await #expect(throws: ChannelError.poweredOff) { try await accepted.next() }
            #expect(try await accepted.next() == nil)
        }
    }

    @Test func `channels end with their manager`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            let far = try await world.peripheral.openChannel(psm: published.psm)
            await world.central.invalidate()
            var units = far.makeAsyncIterator()
            await #expect(throws: ChannelError.invalidated) { try await units.next() }
            await #expect(throws: ChannelError.invalidated) { try await far.send([1]) }
            withExtendedLifetime(published) {}
        }
    }

    // MARK: Counts

    @Test func `a manager counts its channels, their units and their ends`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel(psm: 0x90)
            var accepted = published.makeAsyncIterator()
            let first = try await world.peripheral.openChannel(psm: 0x90)
            let near = try #require(try await accepted.next())
            let second = try await world.peripheral.openChannel(psm: 0x90)
            await #expect(throws: ChannelError.self) { try await world.peripheral.openChannel(psm: 0x91) }
            try await first.send([1, 2, 3])
            var units = near.makeAsyncIterator()
            #expect(try await units.next() == [1, 2, 3])
            let (central, manager) = (world.central.channelTotals, world.manager.channelTotals)
            #expect((central.openCount, central.openedCount, central.refusedCount) == (2, 2, 1))
            #expect((central.units.sentUnitCount, central.units.sentByteCount) == (1, 3))
            #expect((manager.openCount, manager.openedCount, manager.refusedCount) == (2, 2, 0))
            #expect((manager.units.receivedUnitCount, manager.units.receivedByteCount) == (1, 3))
            first.close()
            try await world.clock.sleep(for: .seconds(1))
            #expect((world.central.channelTotals.openCount, world.central.channelTotals.lostCount) == (1, 0))
            #expect((world.manager.channelTotals.openCount, world.manager.channelTotals.lostCount) == (1, 0))
            await world.peripheral.disconnect()
            #expect((world.central.channelTotals.openCount, world.central.channelTotals.lostCount) == (0, 1))
            #expect((world.manager.channelTotals.openCount, world.manager.channelTotals.lostCount) == (0, 1))
            #expect(world.central.channelTotals.failedCount == 0)
            withExtendedLifetime(second) {}
        }
    }

    @Test func `a channel that ends as the peer breaks a rule is counted as failed`() async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let device = VirtualPeripheral(name: "Liar")
            device.publish(TwinChannel(psm: 0x80))
            radio.add(device)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await central.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            let channel = try await peripheral.openChannel(psm: 0x80, timeout: .seconds(5))
            device.misbehave(.exceedingLength, psm: 0x80)
            await #expect(throws: ChannelError.peerExceededLength) { for try await _ in channel {} }
            #expect(central.channelTotals.failedCount == 1)
            #expect(central.channelTotals.openCount == 0)
            await central.invalidate()
        }
    }

    @Test func `units that nobody took are counted when their channel is released`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            let far = try await world.peripheral.openChannel(psm: published.psm)
            var accepted: PublishedChannels.Iterator? = published.makeAsyncIterator()
            var near = try await accepted?.next()
            for number: UInt8 in 0..<5 { try await far.send([number]) }
            try await world.clock.sleep(for: .seconds(1))
            #expect(try await near?.first { _ in true } == [0])
            #expect(world.manager.channelTotals.droppedUnitCount == 0)
            (near, accepted) = (nil, nil)
            try await world.clock.sleep(for: .seconds(1))
            #expect(world.manager.channelTotals.droppedUnitCount == 4)
            #expect(world.manager.channelTotals.units.receivedUnitCount == 5)
        }
    }

    @Test func `units that were sent before a close come to a reader that is slower`() async throws {
        try await run { world in
            let published = try await world.manager.publishChannel()
            let far = try await world.peripheral.openChannel(psm: published.psm)
            var accepted = published.makeAsyncIterator()
            let near = try #require(try await accepted.next())
            let sent = Locked(0)
            let sending = Task(executorPreference: world.executor) {
                for number in 0..<200 {
                    try await far.send([UInt8(number)])
                    sent.withLock { $0 += 1 }
                }
            }
            try await world.clock.sleep(for: .seconds(5))
            far.close()
            _ = await sending.result
            try await world.clock.sleep(for: .seconds(1))
            var units: [Bytes] = []
            for try await unit in near { units.append(unit) }
            #expect(units == (0..<sent.withLock { $0 }).map { [UInt8($0)] })
        }
    }
}
