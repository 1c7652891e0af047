// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The channels of one backend, of either role: the names under which its manager knows them.
final class RoleChannels {
    /// A PSM on which a peripheral role takes channels.
    private struct Listener {
        let isEncrypted: Bool
        let maximumReceiveLength: Int
    }

    private let ether: Ether
    private var sink: ChannelEventSink?
    private var channels: [ChannelID: LinkChannel] = [:]
    private var listeners: [UInt16: Listener] = [:]
    private var lastID: UInt64 = 0
    private var isOver = false

    init(ether: Ether) { self.ether = ether }

    var count: Int { channels.count + listeners.count }

    func activate(_ sink: ChannelEventSink) { self.sink = sink }

    /// Reports an event to the manager, after the present call.
    func emit(_ event: ChannelEvent) {
        ether.timeline.post { [weak self] in self?.sink?(event) }
    }

    /// Ends everything without telling the manager.
    func stop() {
        let ending = channels.sorted { $0.key.rawValue < $1.key.rawValue }
        (channels, listeners) = ([:], [:])
        for (_, channel) in ending { channel.link.close(channel) }
    }

    /// The program is gone: nothing but refusals reaches its manager any more.
    func end() {
        stop()
        isOver = true
    }

    // MARK: Commands

    func command(_ command: ChannelCommand) {
        switch command {
        case .allow(let id, let count):
            // After the call, as units may wait already.
            ether.timeline.post { [weak self] in self?.channels[id]?.allow(count) }
        case .close(let id):
            if let channel = channels.removeValue(forKey: id) { channel.link.close(channel) }
        case .withdraw(let psm): listeners[psm] = nil
        }
    }

    func perform(_ request: ChannelRequest, link: (PeerIdentifier) -> VirtualLink?, isTaken: (UInt16) -> Bool) {
        switch request.operation {
        case .open(let peer, let psm, let isEncrypted, let maximum):
            guard let link = link(peer) else { return reply(request.id, .failure(.disconnected)) }
            link.centralChannels.open(psm: psm, isEncrypted: isEncrypted, maximumUnitLength: maximum) { [weak self] in
                guard let self, !isOver else { return }
                reply(request.id, $0.map { .opened(self.add($0, peer)) })
            }
        case .publish(let psm, let isEncrypted, let maximum):
            let chosen = psm ?? (UInt16(0x80)...0xFF).first { !isTaken($0) }
            guard let chosen, !isTaken(chosen) else { return reply(request.id, .failure(.psmTaken(psm ?? 0xFF))) }
            listeners[chosen] = Listener(isEncrypted: isEncrypted, maximumReceiveLength: maximum)
            reply(request.id, .success(.published(psm: chosen)))
        case .send(let id, let unit):
            guard let channel = channels[id] else { return reply(request.id, .failure(.closed)) }
            channel.send(unit) { [weak self] in self?.reply(request.id, $0 ? .success(.done) : .failure(.closed)) }
        }
    }

    private func reply(_ id: RequestID, _ result: Result<ChannelReply, ChannelError>) { emit(.reply(id, result)) }

    func refuse(_ request: ChannelRequest) { reply(request.id, .failure(.poweredOff)) }

    // MARK: Channels

    func listens(on psm: UInt16) -> Bool { listeners[psm] != nil }

    /// The answer to a central's request for a channel; nil where this role does not take any on the PSM.
    func answer(toChannelOn psm: UInt16, over link: VirtualLink) -> ChannelAnswer? {
        guard let listener = listeners[psm] else { return nil }
        if listener.isEncrypted, link.level == .open { return .refuse(.insufficientEncryption) }
        return .accept(maximumUnitLength: listener.maximumReceiveLength) { [weak self] channel in
            guard let self else { return }
            emit(.accepted(add(channel, link.centralAddress)))
        }
    }

    private func add(_ channel: LinkChannel, _ peer: PeerIdentifier) -> OpenedChannel {
        lastID += 1
        let id = ChannelID(rawValue: lastID)
        channels[id] = channel
        channel.drains = true
        channel.received = { [weak self] in self?.emit(.received(id, $0)) }
        channel.ended = { [weak self] error in
            guard let self, channels.removeValue(forKey: id) != nil else { return }
            emit(.closed(id, error))
        }
        return OpenedChannel(
            id: id, peer: peer, psm: channel.psm, maximumSendLength: channel.terms?.maximumUnitLength ?? 23,
            maximumReceiveLength: channel.maximumUnitLength)
    }
}
