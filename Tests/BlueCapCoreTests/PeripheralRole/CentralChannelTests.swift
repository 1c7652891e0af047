// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Channels of centrals", .timeLimit(.minutes(60)))
struct CentralChannelTests {
    private static let features: PeripheralFeatures = [.individualSubscribers, .centralLinks, .channels]
    private static let idOne: PeerIdentifier = "C0:DE:00:00:00:01"
    private static let idTwo: PeerIdentifier = "C0:DE:00:00:00:02"

    private func emit(_ event: ChannelEvent, in world: PeripheralWorld) async {
        await world.backend.emitOfChannels(event)
        await world.idle()
    }

    /// Connects centrals, each of which opens a channel.
    private func channels(of centrals: [Central], in world: PeripheralWorld) async throws -> [Channel] {
        let call = await world.start { try await world.manager.publishChannel() }
        let request = try #require(await world.backend.channelRequests.last)
        await emit(.reply(request.id, .success(.published(psm: 0x80))), in: world)
        let published = try call.get()
        for (index, central) in centrals.enumerated() {
            await world.emit(.centralConnected(central))
            let channel = OpenedChannel(
                id: ChannelID(rawValue: UInt64(index)), peer: try #require(central.identifier), psm: 0x80,
                maximumSendLength: 23, maximumReceiveLength: 23)
            await emit(.accepted(channel), in: world)
        }
        var (channels, iterator): ([Channel], _) = ([], published.makeAsyncIterator())
        while channels.count < centrals.count, let next = try await iterator.next() { channels.append(next) }
        return channels
    }

    @Test func `a channel is that of a central whose identifier changes, and ends with its link`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let channel = try #require(try await channels(of: [PeripheralWorld.one], in: world).first)
            let call = await world.start { try await channel.send([1]) }
            await world.emit(.centralChanged(Self.idOne, PeripheralWorld.two))
            #expect(channel.peer == Self.idTwo && channel.isOpen)
            await world.emit(.centralDisconnected(Self.idTwo, nil, prepared: [:]))
            #expect(!channel.isOpen)
            #expect(throws: ChannelError.disconnected) { try call.get() }
        }
    }

    @Test func `a unit that waits while its central's identifier changes ends with its channel`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let channel = try #require(try await channels(of: [PeripheralWorld.one], in: world).first)
            let call = await world.start { try await channel.send([1]) }
            await world.emit(.centralChanged(Self.idOne, PeripheralWorld.two))
            channel.close()
            await world.idle()
            #expect(throws: ChannelError.closed) { try call.get() }
        }
    }

    @Test func `the channels of an older link by a central's new identifier end`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let channels = try await channels(of: [PeripheralWorld.one, PeripheralWorld.two], in: world)
            await world.emit(.centralChanged(Self.idOne, PeripheralWorld.two))
            #expect(channels.map(\.isOpen) == [true, false])
            #expect(channels.map(\.peer) == [Self.idTwo, Self.idTwo])
            #expect(world.manager.channelTotals.lostCount == 1)
        }
    }
}
