// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapSharedRadio

@Suite("Channels of a guest of a shared radio", .timeLimit(.minutes(60)))
struct SharedChannelTests {
    private static let peer: PeerIdentifier = "C0:DE:00:00:00:01"

    private static func open(_ id: UInt64 = 1, _ peer: PeerIdentifier = peer, psm: UInt16 = 0x80) -> ChannelRequest {
        ChannelRequest(
            id: RequestID(rawValue: id),
            operation: .open(peer, psm: psm, isEncrypted: false, maximumReceiveLength: 512))
    }

    private static func publish(_ id: UInt64 = 1) -> ChannelRequest {
        ChannelRequest(
            id: RequestID(rawValue: id), operation: .publish(psm: nil, isEncrypted: false, maximumReceiveLength: 512))
    }

    private static func send(_ id: UInt64, over channel: ChannelID, count: Int = 1) -> ChannelRequest {
        ChannelRequest(
            id: RequestID(rawValue: id), operation: .send(channel, Bytes([UInt8](repeating: 7, count: count))))
    }

    // MARK: Over a socket

    @Test(arguments: [GuestRole.central, .peripheral])
    func `a guest that asks for the other role's channels is refused`(_ role: GuestRole) async throws {
        let place = try SocketPlace()
        let shared = try VirtualRadio().share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: role))
        try stranger.send(GuestMessage.performOnChannels(role == .central ? Self.publish() : Self.open()))
        #expect(try await stranger.refusal()?.name == "SharedRadio.Malformed")
        shared.stop()
    }

    @Test func `a guest that sends a unit longer than its peer takes is refused, with its links`() async throws {
        let place = try SocketPlace()
        let radio = VirtualRadio()
        let device = VirtualPeripheral(name: "Device", services: [])
        device.publish(TwinChannel(psm: 0x80, maximumReceiveLength: 100))
        radio.add(device)
        let shared = try radio.share(at: place.path)
        let stranger = try Stranger(at: place.path)
        stranger.listen()
        try stranger.send(GuestHello(role: .central))
        try stranger.send(GuestMessage.connect(device.identifier))
        // The device has the link before the guest does.
        _ = await stranger.next { if case .event(.connected(let peer, _)) = $0 { peer } else { nil } }
        try stranger.send(GuestMessage.performOnChannels(Self.open(1, device.identifier)))
        let opened = await stranger.next {
            if case .channels(.reply(_, let result)) = $0 { result } else { nil }
        }
        guard case .success(.opened(let facts)) = opened else {
            Issue.record("\(String(describing: opened))")
            return
        }
        let channel = facts.id
        try stranger.send(GuestMessage.performOnChannels(Self.send(2, over: channel, count: 100)))
        try await device.wait { $0.channelUnits(psm: 0x80).count == 1 }
        try stranger.send(GuestMessage.performOnChannels(Self.send(3, over: channel, count: 101)))
        #expect(try await stranger.refusal()?.name == "SharedRadio.Malformed")
        try await device.wait { $0.connectionCount == 0 }
        #expect(device.channelUnits(psm: 0x80).count == 1)
        shared.stop()
    }

    // MARK: The table

    /// A table with one open channel.
    private static func table(_ channel: ChannelID = ChannelID(rawValue: 3)) throws -> GuestChannels {
        var table = GuestChannels()
        try table.begin(open(1), as: .central)
        let opened = OpenedChannel(
            id: channel, peer: peer, psm: 0x80, maximumSendLength: 100, maximumReceiveLength: 512)
        table.reported(.reply(RequestID(rawValue: 1), .success(.opened(opened))))
        #expect(table.requestCount == 0)
        return table
    }

    @Test func `one unit of a channel at a time`() throws {
        let channel = ChannelID(rawValue: 3)
        var table = try Self.table(channel)
        try table.begin(Self.send(2, over: channel), as: .central)
        #expect(throws: JournalFailure.self) { try table.begin(Self.send(3, over: channel), as: .central) }
        table.reported(.reply(RequestID(rawValue: 2), .success(.done)))
        try table.begin(Self.send(4, over: channel), as: .central)
    }

    @Test func `a request's number is not used for two at once`() throws {
        var table = GuestChannels()
        try table.begin(Self.open(1), as: .central)
        #expect(throws: JournalFailure.self) { try table.begin(Self.open(1), as: .central) }
    }

    @Test(arguments: [0, 1, 2])
    func `a request that its channel's end leaves without an answer is forgotten`(_ way: Int) throws {
        let channel = ChannelID(rawValue: 3)
        var table = try Self.table(channel)
        try table.begin(Self.send(2, over: channel), as: .central)
        switch way {
        case 0: table.took(.close(channel))
        case 1: table.reported(.closed(channel, .peerExceededLength))
        default: table.linkEnded(Self.peer)
        }
        #expect(table.requestCount == 0)
    }

    @Test func `with a link the requests for channels over it are forgotten, and no others`() throws {
        var table = GuestChannels()
        try table.begin(Self.open(1), as: .central)
        try table.begin(Self.open(2, "C0:DE:00:00:00:02"), as: .central)
        table.linkEnded(Self.peer)
        #expect(table.requestCount == 1)
    }

    // MARK: Values off the wire

    @Test(arguments: [
        ChannelOperation.open(peer, psm: 0, isEncrypted: false, maximumReceiveLength: 512),
        .open(peer, psm: 0x100, isEncrypted: false, maximumReceiveLength: 512),
        .open(peer, psm: 0x80, isEncrypted: false, maximumReceiveLength: 22),
        .open(peer, psm: 0x80, isEncrypted: false, maximumReceiveLength: 65_536),
        .publish(psm: 0x7F, isEncrypted: false, maximumReceiveLength: 512),
        .send(ChannelID(rawValue: 1), []),
        .send(ChannelID(rawValue: 1), Bytes([UInt8](repeating: 0, count: 65_536))),
    ])
    func `a request out of the bounds of channels is no message`(_ operation: ChannelOperation) throws {
        let request = ChannelRequest(id: RequestID(rawValue: 1), operation: operation)
        let frame = try #require(Frame.encode(GuestMessage.performOnChannels(request)))
        #expect(throws: JournalFailure.self) { try Frame.decode(GuestMessage.self, from: frame) }
    }
}
#endif
