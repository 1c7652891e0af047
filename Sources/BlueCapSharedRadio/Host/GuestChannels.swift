// SPDX-License-Identifier: MIT

import BlueCapCore

/// The channels of a guest and its open requests about them, which the radio leaves without an answer when their link
/// or their channel ends.
struct GuestChannels {
    private enum Subject: Equatable {
        /// A channel is asked of a peripheral.
        case peer(PeerIdentifier)
        /// A unit is sent over a channel.
        case channel(ChannelID)
        /// Channels are to be taken.
        case publication
    }

    private struct Passage {
        let peer: PeerIdentifier
        let maximumSendLength: Int
        var isSending = false
    }

    private var passages: [ChannelID: Passage] = [:]
    private var requests: [RequestID: Subject] = [:]

    var requestCount: Int { requests.count }

    /// Takes note of a request of a role.
    ///
    /// - Throws: `.corrupt` for one that no manager makes.
    mutating func begin(_ request: ChannelRequest, as role: GuestRole) throws(JournalFailure) {
        let subject: Subject
        switch request.operation {
        case .open(let peer, _, _, _):
            guard role == .central else { throw .corrupt }
            subject = .peer(peer)
        case .publish:
            guard role == .peripheral else { throw .corrupt }
            subject = .publication
        case .send(let channel, let unit):
            // The channel may have ended on the radio while the unit was under way.
            if let passage = passages[channel] {
                guard !passage.isSending, unit.count <= passage.maximumSendLength else { throw .corrupt }
                passages[channel]?.isSending = true
            }
            subject = .channel(channel)
        }
        guard requests.updateValue(subject, forKey: request.id) == nil else { throw .corrupt }
    }

    mutating func took(_ command: ChannelCommand) {
        if case .close(let channel) = command { forget(channel) }
    }

    mutating func reported(_ event: ChannelEvent) {
        switch event {
        case .accepted(let channel): add(channel)
        case .received: break
        case .closed(let channel, _): forget(channel)
        case .reply(let id, let result):
            if case .channel(let channel) = requests.removeValue(forKey: id) { passages[channel]?.isSending = false }
            if case .success(.opened(let channel)) = result { add(channel) }
        }
    }

    mutating func linkEnded(_ peer: PeerIdentifier) {
        requests = requests.filter { $0.value != .peer(peer) }
        for (channel, passage) in passages where passage.peer == peer { forget(channel) }
    }

    private mutating func add(_ channel: OpenedChannel) {
        passages[channel.id] = Passage(peer: channel.peer, maximumSendLength: channel.maximumSendLength)
    }

    private mutating func forget(_ channel: ChannelID) {
        passages[channel] = nil
        requests = requests.filter { $0.value != .channel(channel) }
    }
}
