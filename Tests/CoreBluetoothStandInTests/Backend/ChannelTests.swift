// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import CoreBluetooth
import Testing

@testable import BlueCapCoreBluetooth

/// Channels of the central role, over streams with each of the habits that CoreBluetooth may have.
@Suite(.timeLimit(.minutes(60)))
struct ChannelTests {
    private struct Link: Sendable {
        let scene: StrapScene
        let strap: Peripheral
        let peer: any ChannelPeer

        /// Waits until no channel is open at the peer.
        func closed() async throws {
            try await scene.world.elapse(.seconds(5))
            try await peer.wait(forChannels: 0, psm: 0x80)
        }
    }

    /// Runs `body` with a strap that is connected and takes channels.
    private func connected(
        _ channel: TwinChannel = TwinChannel(behaviour: .echo), _ settings: StandInSettings = .init(),
        _ body: @escaping @Sendable (Link) async throws -> Void
    ) async throws {
        try await StrapScene.run(settings: settings) { scene in
            let strap = try await scene.connected()
            let peer = try #require(scene.peer as? any ChannelPeer)
            try await peer.publish(channel)
            try await body(Link(scene: scene, strap: strap, peer: peer))
            #expect(scene.world.host.misuses.isEmpty)
        }
    }

    /// Units of many lengths.
    private static let units: [Bytes] = (0..<60).map { number -> Bytes in
        Bytes((0..<(1 + number * 31)).map { UInt8(truncatingIfNeeded: $0 + number) })
    }

    private static func bytes(_ count: Int, of channel: Channel) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = channel.makeAsyncIterator()
        while bytes.count < count, let unit = try await iterator.next() {
            #expect(!unit.isEmpty && unit.count <= channel.maximumReceiveLength)
            bytes += unit
        }
        return bytes
    }

    private static func name(_ error: (any Error)?) -> String? {
        if case .backend(let failure)? = error as? ChannelError { failure.name } else { nil }
    }

    // MARK: Units

    @Test(
        arguments: [
            [], [.joinsUnits], [.cutsUnits], [.joinsUnits, .cutsUnits], [.answersInside], [.endsEarly],
        ] as [Set<StandInFault>])
    func `L4, L6: no byte is lost or out of order, however the streams join and cut units`(
        _ faults: Set<StandInFault>
    ) async throws {
        try await connected(TwinChannel(behaviour: .echo), StandInSettings(faults: faults)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            let sent = Array(Self.units.joined())
            async let echoes = Self.bytes(sent.count, of: channel)
            for unit in Self.units { try await channel.send(unit) }
            #expect(try await echoes == sent)
            #expect(try await Array(link.peer.channelUnits(psm: 0x80).joined()) == sent)
        }
    }

    @Test func `L4: the streams have a queue for their events`() async throws {
        try await connected { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            try await link.peer.sendUnits([[1, 2]], psm: 0x80)
            try await link.scene.world.elapse(.seconds(5))
            #expect(channel.statistics.receivedByteCount == 2)
        }
    }

    @Test func `L4: units go out although no event tells that there is room`() async throws {
        try await connected(TwinChannel(), StandInSettings(faults: [.silentRoom])) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            let task = link.scene.world.start { for unit in Self.units { try await channel.send(unit) } }
            try await link.scene.world.elapse(.seconds(120))
            #expect(channel.statistics.sentUnitCount == Self.units.count)
            task.cancel()
            _ = try? await task.value
        }
    }

    /// The ends of a unit that waits for room.
    enum UnitEnd: CaseIterable {
        case close
        case cancellation
        case link
        case radio
    }

    @Test(arguments: UnitEnd.allCases)
    func `L4: a unit that waits ends although no event tells of room or an end`(_ end: UnitEnd) async throws {
        let faults: Set<StandInFault> = [.cutsUnits, .silentRoom, .silentEnd]
        try await connected(TwinChannel(behaviour: .stall), StandInSettings(faults: faults)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            let task = link.scene.world.start { try await channel.send(Bytes([UInt8](repeating: 1, count: 2_000))) }
            try await link.scene.world.elapse(.seconds(10))
            #expect(channel.statistics.sentUnitCount == 0)
            let error: ChannelError
            switch end {
            case .close:
                channel.close()
                error = .closed
            case .cancellation:
                task.cancel()
                error = .cancelled
            case .link:
                try await link.peer.disconnect()
                error = .disconnected
            case .radio:
                try await link.scene.world.setPower(false)
                error = .poweredOff
            }
            await #expect(throws: error) { try await task.value }
            channel.close()
            #expect(try await link.scene.world.wait { link.scene.world.host.liveCount(.channels) == 0 })
        }
    }

    @Test func `L6: a unit is sent when the stream has taken all of it`() async throws {
        try await connected(TwinChannel(behaviour: .stall), StandInSettings(faults: [.cutsUnits])) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            let task = link.scene.world.start { try await channel.send(Bytes([UInt8](repeating: 1, count: 2_000))) }
            try await link.scene.world.elapse(.seconds(10))
            #expect(channel.statistics.sentUnitCount == 0)
            channel.close()
            await #expect(throws: ChannelError.closed) { try await task.value }
        }
    }

    @Test(arguments: [[], [.endsEarly], [.endsEarly, .joinsUnits], [.endsEarly, .cutsUnits]] as [Set<StandInFault>])
    func `L6: a channel that the peer closes ends after the bytes that have come`(
        _ faults: Set<StandInFault>
    ) async throws {
        try await connected(TwinChannel(), StandInSettings(faults: faults)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            // The manager takes 16 units, and the system 8 more.
            let units = (0..<(faults.contains(.cutsUnits) ? 14 : 20)).map { Bytes([UInt8](repeating: $0, count: 150)) }
            try await link.peer.sendUnits(units, psm: 0x80)
            try await link.scene.world.elapse(.seconds(5))
            #expect(channel.statistics.receivedByteCount < units.count * 150 || faults.contains(.joinsUnits))
            try await link.peer.closeChannels(psm: 0x80)
            try await link.scene.world.elapse(.seconds(5))
            #expect(try await Self.bytes(4_000, of: channel) == Array(units.joined()))
            #expect(!channel.isOpen)
        }
    }

    @Test func `L7: the longest unit is the backend's own, as the peer's is not known`() async throws {
        try await connected(TwinChannel(behaviour: .echo, maximumReceiveLength: 100)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80, maximumReceiveLength: 700)
            #expect(channel.maximumSendLength == 2_048)
            #expect(channel.maximumReceiveLength == 700)
            // The system cuts it for the peer.
            let unit = Bytes((0..<2_048).map { UInt8($0 & 0xFF) })
            async let echoes = Self.bytes(2_048, of: channel)
            try await channel.send(unit)
            #expect(try await echoes == Array(unit))
        }
    }

    // MARK: Opening

    @Test func `L2: channels are opened one after another, and a failure is that of its own`() async throws {
        try await connected { link in
            let (strap, patience) = (link.strap, Duration.seconds(60))
            async let first = strap.openChannel(psm: 0x80, timeout: patience)
            let refused = link.scene.world.start { try await strap.openChannel(psm: 0x99, timeout: patience) }
            async let second = strap.openChannel(psm: 0x80, timeout: patience)
            let opened = try await [first, second]
            #expect(opened.map(\.psm) == [0x80, 0x80])
            await #expect(throws: ChannelError.refused(nil)) { try await refused.value }
        }
    }

    @Test func `L2: an opening that is not answered fails after a minute, and the next one is begun`() async throws {
        try await connected { link in
            let host = link.scene.world.host
            host.faults = [.silentOpen]
            let error = await #expect(throws: ChannelError.self) { try await link.strap.openChannel(psm: 0x80) }
            #expect(Self.name(error) == "CoreBluetooth.unansweredChannel")
            host.faults = []
            _ = try await link.strap.openChannel(psm: 0x80)
        }
    }

    @Test func `L2: a channel that comes after its caller gave up is closed`() async throws {
        try await connected(TwinChannel(), StandInSettings(faults: [.lateOpen])) { link in
            await #expect(throws: ChannelError.openTimeout) {
                try await link.strap.openChannel(psm: 0x80, timeout: .seconds(1))
            }
            try await link.scene.world.elapse(.seconds(10))
            #expect(link.scene.world.host.liveCount(.channels) == 0)
            try await link.closed()
        }
    }

    @Test func `L2: a channel that comes after its link has ended is closed and counted`() async throws {
        try await connected(TwinChannel(), StandInSettings(faults: [.lateOpen])) { link in
            let strap = link.strap
            let task = link.scene.world.start { try await strap.openChannel(psm: 0x80) }
            try await link.scene.world.elapse(.seconds(1))
            try await link.peer.disconnect()
            await #expect(throws: ChannelError.disconnected) { try await task.value }
            try await link.scene.world.elapse(.seconds(10))
            #expect(link.scene.world.host.liveCount(.channels) == 0)
            #expect(await link.scene.backend.statistics.strayCallbacks > 0)
        }
    }

    @Test(arguments: [.opensNothing, .opensWithoutStreams] as [StandInFault])
    func `L2: neither a channel nor an error, and a channel without streams, are a failure`(
        _ fault: StandInFault
    ) async throws {
        try await connected(TwinChannel(), StandInSettings(faults: [fault])) { link in
            let error = await #expect(throws: ChannelError.self) { try await link.strap.openChannel(psm: 0x80) }
            #expect(Self.name(error) == "CoreBluetooth.noChannel")
            #expect(link.scene.world.host.liveCount(.channels) == 0)
            try await link.closed()
        }
    }

    @Test(arguments: [[.failsToOpen], [.failsToOpen, .answersInside]] as [Set<StandInFault>])
    func `L2, M10: an error is the failure of the call, from inside of the platform's call too`(
        _ faults: Set<StandInFault>
    ) async throws {
        try await connected(TwinChannel(), StandInSettings(faults: faults)) { link in
            await #expect(throws: ChannelError.refused(nil)) { try await link.strap.openChannel(psm: 0x80) }
        }
    }

    @Test func `L2: a channel to another PSM is closed, and the request goes on`() async throws {
        try await connected(TwinChannel(), StandInSettings(psmOfChannels: 0x77)) { link in
            let error = await #expect(throws: ChannelError.self) { try await link.strap.openChannel(psm: 0x80) }
            #expect(Self.name(error) == "CoreBluetooth.unansweredChannel")
            #expect(await link.scene.backend.statistics.strayCallbacks > 0)
            try await link.closed()
        }
    }

    @Test func `F1: an encrypted channel is refused, as nothing says whether the link is encrypted`() async throws {
        try await connected { link in
            let error = await #expect(throws: ChannelError.self) {
                try await link.strap.openChannel(psm: 0x80, encrypted: true)
            }
            #expect(Self.name(error) == "CoreBluetooth.pairing")
            #expect(link.scene.world.host.liveCount(.channels) == 0)
        }
    }

    @Test func `F1: the system pairs for a channel that asks for encryption`() async throws {
        try await connected(TwinChannel(behaviour: .echo, isEncrypted: true)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            async let echoes = Self.bytes(1, of: channel)
            try await channel.send([7])
            #expect(try await echoes == [7])
        }
    }

    // MARK: Ends

    @Test func `L3: a channel is kept while it is open, and released at its end`() async throws {
        try await connected { link in
            let host = link.scene.world.host
            let channel = try await link.strap.openChannel(psm: 0x80)
            try await link.scene.world.elapse(.seconds(5))
            #expect(host.liveCount(.channels) == 1)
            #expect(channel.isOpen)
            channel.close()
            #expect(try await link.scene.world.wait { host.liveCount(.channels) == 0 })
            try await link.closed()
        }
    }

    @Test(arguments: [[], [.endsEarly], [.silentEnd]] as [Set<StandInFault>])
    func `C5: a channel ends with its link, and nothing of it comes afterwards`(
        _ faults: Set<StandInFault>
    ) async throws {
        try await connected(TwinChannel(), StandInSettings(faults: faults)) { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            try await link.peer.disconnect()
            await #expect(throws: ChannelError.disconnected) { _ = try await Self.bytes(1, of: channel) }
            #expect(try await link.scene.world.wait { link.scene.world.host.liveCount(.channels) == 0 })
        }
    }

    @Test func `M4: channels end with the radio, and can be opened again`() async throws {
        try await connected { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            try await link.scene.world.setPower(false)
            await #expect(throws: ChannelError.poweredOff) { _ = try await Self.bytes(1, of: channel) }
            #expect(try await link.scene.world.wait { link.scene.world.host.liveCount(.channels) == 0 })
            try await link.scene.world.setPower(true)
            try await link.scene.central.whenPoweredOn(timeout: .seconds(10))
            try await link.strap.connect(timeout: .seconds(30))
            _ = try await link.strap.openChannel(psm: 0x80)
        }
    }

    @Test func `M9: a manager that ends closes its channels`() async throws {
        try await connected { link in
            let channel = try await link.strap.openChannel(psm: 0x80)
            await link.scene.central.invalidate()
            await #expect(throws: ChannelError.invalidated) { _ = try await Self.bytes(1, of: channel) }
            #expect(try await link.scene.world.wait { link.scene.world.host.liveCount(.channels) == 0 })
        }
    }
}
