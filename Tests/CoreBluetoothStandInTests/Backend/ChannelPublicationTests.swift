// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import BlueCapVirtual
import CoreBluetooth
import Testing

@testable import BlueCapCoreBluetooth

/// Channels of the peripheral role, which a central of the virtual radio opens.
@Suite(.timeLimit(.minutes(60)))
struct ChannelPublicationTests {
    /// A central that is connected to the program.
    private struct Far: Sendable {
        let central: CentralManager
        let lamp: Peripheral

        init(to lamp: LampScene) async throws {
            let radio = lamp.world.host.radio
            central = CentralManager(
                backend: radio.central(on: radio.adapter(address: "00:00:5E:00:54:00")),
                configuration: .init(clock: lamp.world.clock))
            try await central.whenPoweredOn(timeout: .seconds(10))
            var found: Peripheral?
            for try await sighting in central.scan(options: ScanOptions(allowsDuplicates: true), timeout: .seconds(30))
            where sighting.advertisements.localName == "Lamp" {
                found = sighting.peripheral
                break
            }
            self.lamp = try #require(found)
            try await self.lamp.connect(timeout: .seconds(10))
        }
    }

    private static func name(_ error: (any Error)?) -> String? {
        if case .backend(let failure)? = error as? ChannelError { failure.name } else { nil }
    }

    private static func bytes(_ count: Int, of channel: Channel) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = channel.makeAsyncIterator()
        while bytes.count < count, let unit = try await iterator.next() { bytes += unit }
        return bytes
    }

    @Test func `L1: the system chooses the PSM, and one that is asked for is refused`() async throws {
        try await LampScene.run { lamp in
            let error = await #expect(throws: ChannelError.self) { try await lamp.manager.publishChannel(psm: 0x90) }
            #expect(Self.name(error) == "CoreBluetooth.chosenPSM")
            let published = try await lamp.manager.publishChannel()
            #expect((0x80...0xFF).contains(published.psm))
        }
    }

    @Test(arguments: [[], [.joinsUnits], [.cutsUnits], [.answersInside]] as [Set<StandInFault>])
    func `L6: bytes go both ways over a channel that a central opens`(_ faults: Set<StandInFault>) async throws {
        try await LampScene.run(settings: StandInSettings(faults: faults)) { lamp in
            let published = try await lamp.manager.publishChannel()
            let far = try await Far(to: lamp)
            let theirs = try await far.lamp.openChannel(psm: published.psm)
            var channels = published.makeAsyncIterator()
            let ours = try #require(await channels.next())
            #expect(ours.psm == published.psm && ours.maximumSendLength == 2_048)
            let units: [Bytes] = (1...40).map { number -> Bytes in
                Bytes((0..<(number * 40)).map { UInt8(truncatingIfNeeded: $0 + number) })
            }
            let sent = Array(units.joined())
            async let here = Self.bytes(sent.count, of: ours)
            async let there = Self.bytes(sent.count, of: theirs)
            for unit in units {
                try await theirs.send(unit)
                try await ours.send(unit)
            }
            #expect(try await here == sent)
            #expect(try await there == sent)
            // The end of the central's side is that of ours.
            theirs.close()
            #expect(try await Self.bytes(1, of: ours) == [])
            #expect(try await lamp.world.wait { lamp.world.host.liveCount(.channels) == 0 })
        }
    }

    @Test func `L4: a unit to a central ends with the link although no event tells of its end`() async throws {
        try await LampScene.run(settings: StandInSettings(faults: [.silentEnd])) { lamp in
            let published = try await lamp.manager.publishChannel()
            let far = try await Far(to: lamp)
            let theirs = try await far.lamp.openChannel(psm: published.psm)
            var channels = published.makeAsyncIterator()
            let ours = try #require(await channels.next())
            let unit = Bytes([UInt8](repeating: 1, count: 2_000))
            let task = lamp.world.start { while true { try await ours.send(unit) } }
            try await lamp.world.elapse(.seconds(10))
            try await far.lamp.disconnect()
            try await lamp.world.elapse(.seconds(10))
            #expect(!ours.isOpen)
            task.cancel()
            await #expect(throws: ChannelError.disconnected) { try await task.value }
            withExtendedLifetime(theirs) {}
        }
    }

    @Test func `L1: a PSM that is taken back keeps its channels, and no other one is taken`() async throws {
        try await LampScene.run { lamp in
            var published: PublishedChannels? = try await lamp.manager.publishChannel()
            let psm = try #require(published?.psm)
            let far = try await Far(to: lamp)
            let theirs = try await far.lamp.openChannel(psm: psm)
            var channels = published?.makeAsyncIterator()
            let ours = try #require(try await channels?.next())
            (channels, published) = (nil, nil)
            try await lamp.world.elapse(.seconds(5))
            async let here = Self.bytes(3, of: ours)
            try await theirs.send([1, 2, 3])
            #expect(try await here == [1, 2, 3])
            // Until its channels have ended the system has the PSM still, and the backend closes what comes.
            let other = try await far.lamp.openChannel(psm: psm)
            #expect(try await Self.bytes(1, of: other) == [])
            #expect(theirs.isOpen)
            ours.close()
            try await lamp.world.elapse(.seconds(5))
            await #expect(throws: ChannelError.refused(.psmNotSupported)) { try await far.lamp.openChannel(psm: psm) }
            #expect(lamp.world.host.misuses.isEmpty)
        }
    }

    @Test func `L1: a channel without the encryption that was asked for is never opened`() async throws {
        try await LampScene.run { lamp in
            async let clear = lamp.manager.publishChannel()
            async let encrypted = lamp.manager.publishChannel(encrypted: true)
            let (first, second) = try await (clear, encrypted)
            let far = try await Far(to: lamp)
            _ = try await far.lamp.openChannel(psm: first.psm)
            await #expect(throws: ChannelError.refused(.insufficientEncryption)) {
                try await far.lamp.openChannel(psm: second.psm)
            }
        }
    }

    @Test(arguments: [[.failsToOpen], [.failsToOpen, .answersInside]] as [Set<StandInFault>])
    func `L2, M10: a PSM that is not published is a failure`(_ faults: Set<StandInFault>) async throws {
        try await LampScene.run { lamp in
            lamp.world.host.faults = faults
            let error = await #expect(throws: ChannelError.self) { try await lamp.manager.publishChannel() }
            #expect(Self.name(error) == "CBError.unknown")
        }
    }

    @Test func `L2: a publication that is not answered fails, and none is made until the radio was off`() async throws {
        try await LampScene.run { lamp in
            lamp.world.host.faults = [.silentOpen]
            let first = await #expect(throws: ChannelError.self) { try await lamp.manager.publishChannel() }
            #expect(Self.name(first) == "CoreBluetooth.unansweredPublication")
            lamp.world.host.faults = []
            let second = await #expect(throws: ChannelError.self) {
                try await lamp.manager.publishChannel(encrypted: true)
            }
            #expect(Self.name(second) == "CoreBluetooth.unansweredPublication")
            try await lamp.world.setPower(false)
            try await lamp.world.setPower(true)
            try await lamp.manager.whenPoweredOn(timeout: .seconds(10))
            _ = try await lamp.manager.publishChannel(encrypted: true)
        }
    }

    @Test(arguments: [0, 0x7F, 0x100, .max] as [UInt16])
    func `L1: a number that is no PSM of LE is a failure`(_ psm: UInt16) async throws {
        try await LampScene.run(settings: StandInSettings(psmOfChannels: psm)) { lamp in
            let error = await #expect(throws: ChannelError.self) { try await lamp.manager.publishChannel() }
            #expect(Self.name(error) == "CoreBluetooth.unusablePSM")
        }
    }

    @Test func `M6: publications and channels end with the radio, and are made again`() async throws {
        try await LampScene.run { lamp in
            let published = try await lamp.manager.publishChannel()
            let far = try await Far(to: lamp)
            _ = try await far.lamp.openChannel(psm: published.psm)
            var channels = published.makeAsyncIterator()
            let ours = try #require(await channels.next())
            try await lamp.world.setPower(false)
            await #expect(throws: ChannelError.poweredOff) { _ = try await channels.next() }
            await #expect(throws: ChannelError.poweredOff) { _ = try await Self.bytes(1, of: ours) }
            #expect(try await lamp.world.wait { lamp.world.host.liveCount(.channels) == 0 })
            try await lamp.world.setPower(true)
            try await lamp.manager.whenPoweredOn(timeout: .seconds(10))
            _ = try await lamp.manager.publishChannel()
            #expect(lamp.world.host.misuses.isEmpty)
        }
    }

    @Test func `J5: a channel ends with the link of its central`() async throws {
        try await LampScene.run { lamp in
            let published = try await lamp.manager.publishChannel()
            let far = try await Far(to: lamp)
            let theirs = try await far.lamp.openChannel(psm: published.psm)
            var channels = published.makeAsyncIterator()
            let ours = try #require(await channels.next())
            await far.lamp.disconnect()
            await #expect(throws: ChannelError.disconnected) { _ = try await Self.bytes(1, of: ours) }
            #expect(!theirs.isOpen)
            #expect(try await lamp.world.wait { lamp.world.host.liveCount(.channels) == 0 })
        }
    }

    @Test func `L2: neither a channel nor an error from a central is counted`() async throws {
        try await LampScene.run { lamp in
            let published = try await lamp.manager.publishChannel()
            let far = try await Far(to: lamp)
            lamp.world.host.faults = [.opensNothing]
            let theirs = try await far.lamp.openChannel(psm: published.psm)
            #expect(try await Self.bytes(1, of: theirs) == [])
            #expect(await lamp.backend.statistics.strayCallbacks == 1)
        }
    }
}
