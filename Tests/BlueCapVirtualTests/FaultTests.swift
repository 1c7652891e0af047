// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@Suite("A peripheral's faults", .timeLimit(.minutes(60)))
struct FaultTests {
    private static func services() -> [VirtualService] {
        [
            VirtualService("FFF0") {
                VirtualCharacteristic("FFF1", properties: [.read, .write, .notify], value: [1])
                VirtualCharacteristic("FFF2", properties: [.read], value: [2])
            }
        ]
    }

    @Test func `what is done to a peripheral before it is in the air happens when it is added`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag", isAdvertising: false)
            peripheral.rename(to: "Key")
            peripheral.changePairing(to: .refused)
            peripheral.stopAdvertising()
            peripheral.startAdvertising()
            #expect(peripheral.name == "Tag")
            radio.add(peripheral)
            try await peripheral.wait { $0.isAdvertising }
            #expect(peripheral.name == "Key")
            #expect(peripheral.pairing == .refused)
        }
    }

    @Test func `a mute peripheral answers nothing, and the stack ends the link after 30 s`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            world.peripheral.mute()
            let start = world.radio.clock.elapsed
            let id = await world.recorder.begin(.read(world.id, world.found.characteristic("FFF1")))
            let end = await world.recorder.disconnection(of: world.id)
            #expect(end.time - start == .seconds(30))
            #expect(end.failure?.name == "VirtualRadio.TransactionTimeout")
            let replies = await world.recorder.count { if case .reply(id, _) = $0 { true } else { false } }
            #expect(replies == 0)
        }
    }

    @Test
    func `what a mute peripheral is told to send goes out in order when it is mute no more, unless its link has ended`()
        async throws
    {
        try await ConnectedWorld.run {
            [VirtualService("FFF0") { VirtualCharacteristic("FFF1", properties: [.notify, .indicate]) }]
        } _: { world in
            _ = await world.setNotifying("FFF1", true)
            let characteristic = world.characteristic("FFF1")
            world.peripheral.mute()
            characteristic.notify([[1], [2]])
            async let isFlushed = characteristic.notifyAndFlush([[3]])
            try await world.radio.clock.sleep(for: .seconds(5))
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")).isEmpty)
            world.peripheral.unmute()
            #expect(await isFlushed)
            #expect(await world.recorder.values(of: world.found.characteristic("FFF1")) == [[1], [2], [3]])
            world.peripheral.mute()
            async let isLost = characteristic.notifyAndFlush([[4]])
            world.peripheral.vanish()
            #expect(await isLost == false)
        }
    }

    @Test func `whoever waits for what a mute peripheral was told to send stops with its task`() async throws {
        try await ConnectedWorld.run {
            [VirtualService("FFF0") { VirtualCharacteristic("FFF1", properties: [.notify]) }]
        } _: { world in
            _ = await world.setNotifying("FFF1", true)
            let characteristic = world.characteristic("FFF1")
            world.peripheral.mute()
            let isFlushed = await withTaskGroup(of: Bool.self) { group in
                group.addTask { await characteristic.notifyAndFlush([[1]]) }
                try? await world.radio.clock.sleep(for: .seconds(5))
                group.cancelAll()
                return await group.next()
            }
            #expect(isFlushed == false)
        }
    }

    @Test func `a peripheral that is mute from the start is connected with the smallest MTU`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let peripheral = VirtualPeripheral(name: "Tag")
            radio.add(peripheral)
            peripheral.mute()
            let recorder = await Recorder.on(radio.central())
            await recorder.begin(connecting: peripheral.identifier)
            let entry = await recorder.next { if case .connected = $0 { true } else { false } }
            #expect(entry.event.summary == "connected \(peripheral.identifier) 23")
            _ = await recorder.disconnection(of: peripheral.identifier)
        }
    }

    @Test func `a slow peripheral takes so much longer for each answer`() async throws {
        try await ConnectedWorld.run(connection: .init(interval: .milliseconds(50))) {
            Self.services()
        } _: { world in
            world.peripheral.slow(by: .seconds(2))
            let duration = await world.duration { #expect(await world.read("FFF1") == .success(.value([1]))) }
            #expect(duration == .milliseconds(2100))
        }
    }

    @Test(arguments: [true, false])
    func `a peripheral that falls silent over a request does not answer it`(isHeld: Bool) async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            if isHeld { characteristic.hold(.read) } else { world.peripheral.slow(by: .seconds(2)) }
            let id = await world.recorder.begin(.read(world.id, world.found.characteristic("FFF1")))
            try await world.radio.clock.sleep(for: .seconds(1))
            world.peripheral.mute()
            characteristic.release(.read)
            let end = await world.recorder.disconnection(of: world.id)
            #expect(end.failure?.name == "VirtualRadio.TransactionTimeout")
            let replies = await world.recorder.count { if case .reply(id, _) = $0 { true } else { false } }
            #expect(replies == 0)
        }
    }

    @Test func `a held request waits for its release, and then sees the value of that moment`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            characteristic.hold(.read)
            let id = await world.recorder.begin(.read(world.id, world.found.characteristic("FFF1")))
            try await world.peripheral.wait { $0.characteristic("FFF1")?.heldCount(.read) == 1 }
            try await world.radio.clock.sleep(for: .seconds(10))
            characteristic.setValue([7])
            characteristic.release(.read)
            #expect(await world.recorder.reply(to: id) == .success(.value([7])))
            #expect(characteristic.heldCount(.read) == 0)
            #expect(await world.read("FFF1") == .success(.value([7])))
        }
    }

    @Test func `answering what is held goes on to hold what comes`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            characteristic.hold(.write)
            for value: UInt8 in [5, 6] {
                let write = CentralOperation.write(world.id, world.found.characteristic("FFF1"), [value], .withResponse)
                let id = await world.recorder.begin(write)
                try await world.peripheral.wait { $0.characteristic("FFF1")?.heldCount(.write) == 1 }
                #expect(characteristic.value != [value])
                characteristic.answerHeld(.write)
                #expect(await world.recorder.reply(to: id) == .success(.done))
                #expect(characteristic.value == [value])
            }
        }
    }

    @Test func `a held request keeps others of its link waiting, and is forgotten with the link`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let characteristic = world.characteristic("FFF1")
            characteristic.hold(.read)
            let first = await world.recorder.begin(.read(world.id, world.found.characteristic("FFF1")))
            let second = await world.recorder.begin(.read(world.id, world.found.characteristic("FFF2")))
            try await world.radio.clock.sleep(for: .seconds(10))
            let replies = await world.recorder.count {
                if case .reply(let id, _) = $0 { id == first || id == second } else { false }
            }
            #expect(replies == 0)
            await world.recorder.disconnect(world.id)
            _ = await world.recorder.disconnection(of: world.id)
            #expect(characteristic.heldCount(.read) == 0)
            characteristic.release(.read)
            #expect(await world.recorder.connect(world.id) == nil)
            #expect(await world.read("FFF1") == .success(.value([1])))
        }
    }

    @Test func `a loss of every packet ends the link by the supervision timeout`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let start = world.radio.clock.elapsed
            world.peripheral.setPacketLoss(1)
            let end = await world.recorder.disconnection(of: world.id)
            #expect(end.time - start == .seconds(4))
        }
    }

    @Test func `a changed name and a changed MTU are told to centrals that are connected`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            let count = await world.recorder.entries.count
            world.peripheral.rename(to: "Other")
            world.peripheral.changeMaximumTransmissionUnit(to: 50)
            _ = await world.read("FFF1")
            #expect(
                await world.recorder.entries.dropFirst(count).prefix(2).map(\.event.summary)
                    == ["name \(world.id) Other", "mtu \(world.id) 50"])
        }
    }

    @Test
    func `changed services are told with those that are gone; those that stay keep their handles`() async throws {
        try await ConnectedWorld.run {
            Self.services() + [VirtualService("FFE0") { VirtualCharacteristic("FFE1", properties: [.notify]) }]
        } _: { world in
            let kept = world.peripheral.services[1]
            let gone = world.found.services[0].id
            world.peripheral.changeServices(to: [kept, VirtualService("FFD0")])
            let entry = await world.recorder.next { if case .servicesChanged = $0 { true } else { false } }
            guard case .servicesChanged(_, let invalidated) = entry.event else { throw UnexpectedReply() }
            #expect(invalidated == [gone])
            #expect(await world.read("FFF1") == .failure(.att(.invalidHandle)))
            #expect(await world.setNotifying("FFE1", true) == .success(.done))
            let found = try await world.recorder.discover(world.id)
            #expect(found.services.map(\.uuid) == ["FFE0", "FFD0"])
            #expect(found.services[0].id == world.found.services[1].id)
        }
    }

    @Test func `a service that moves, as no handles are left, is told among those that are gone`() async throws {
        try await ConnectedWorld.run {
            Self.services() + [VirtualService("FFE0")]
        } _: { world in
            let kept = world.peripheral.services[1]
            let place = world.found.services[1].id
            var isTold = false
            for _ in 0..<3 where !isTold {
                let many = (0..<12_000).map { _ in VirtualCharacteristic("FFD1", properties: .read) }
                let large = VirtualService("FFD0", characteristics: many)
                world.peripheral.changeServices(to: [large, kept])
                let entry = await world.recorder.next { if case .servicesChanged = $0 { true } else { false } }
                guard case .servicesChanged(_, let invalidated?) = entry.event else { throw UnexpectedReply() }
                isTold = invalidated.contains(place)
            }
            #expect(isTold)
        }
    }

    @Test func `services that changed without a link are told at the next connection`() async throws {
        try await ConnectedWorld.run {
            Self.services()
        } _: { world in
            await world.recorder.disconnect(world.id)
            _ = await world.recorder.disconnection(of: world.id)
            world.peripheral.changeServices(to: [VirtualService("FFD0")])
            let count = await world.recorder.entries.count
            #expect(await world.recorder.connect(world.id) == nil)
            let services = try await world.recorder.services(of: world.id)
            #expect(services.map(\.uuid) == ["FFD0"])
            let summaries = await world.recorder.entries.dropFirst(count).map(\.event.summary)
            #expect(summaries[1] == "services \(world.id) \([world.found.services[0].id])")
        }
    }
}
