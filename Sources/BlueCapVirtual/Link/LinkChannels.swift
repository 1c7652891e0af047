// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The connection-oriented channels of one side of a link.
final class LinkChannels {
    /// The numbers that a side gives to its ends of channels (Core Specification, Vol 3, Part A, 2.1, table 2.2).
    static let numbers: ClosedRange<UInt16> = 0x40...0x7F

    // The link holds its sides, and ends them before it goes.
    private(set) unowned var link: VirtualLink
    private let isCentral: Bool
    private var channels: [UInt16: LinkChannel] = [:]
    /// The channels that the other side has closed, and whose owners have units to take.
    private var draining: [LinkChannel] = []
    /// The numbers of channels that this side has closed, until the other side has said so.
    private var closing: Set<UInt16> = []
    /// The channels that were asked for and have no answer yet.
    private var openings: [UInt16: (Result<LinkChannel, ChannelError>) -> Void] = [:]
    private var lastIdentifier: UInt8 = 0

    init(link: VirtualLink, isCentral: Bool) {
        self.link = link
        self.isCentral = isCentral
    }

    private var other: LinkChannels { isCentral ? link.peripheralChannels : link.centralChannels }

    private var freeNumber: UInt16? { Self.numbers.first { channels[$0] == nil && !closing.contains($0) } }

    func send(_ packet: ChannelPacket) { link.send(packet, fromCentral: isCentral) }

    func give(credits count: Int, to channel: LinkChannel) {
        send(.credits(makeIdentifier(), source: channel.source, count: count))
    }

    /// The identifier of the next packet of signalling; 0 is none (Core Specification, Vol 3, Part A, 4).
    private func makeIdentifier() -> UInt8 {
        lastIdentifier = lastIdentifier == .max ? 1 : lastIdentifier + 1
        return lastIdentifier
    }

    /// Asks the other side for a channel.
    func open(
        psm: UInt16, isEncrypted: Bool, maximumUnitLength: Int,
        then: @escaping (Result<LinkChannel, ChannelError>) -> Void
    ) {
        guard link.isOpen else { return then(.failure(.disconnected)) }
        if isEncrypted, link.level == .open { return then(.failure(.refused(.insufficientEncryption))) }
        guard let number = freeNumber else { return then(.failure(.tooManyChannels)) }
        let channel = LinkChannel(side: self, source: number, psm: psm, maximumUnitLength: maximumUnitLength)
        channels[number] = channel
        openings[number] = then
        send(.request(makeIdentifier(), channel.ownTerms, psm: psm))
    }

    /// This side closes a channel: units that it had queued are dropped.
    func close(_ channel: LinkChannel) {
        draining.removeAll { $0 === channel }
        guard channels[channel.source] === channel else { return }
        channels[channel.source] = nil
        guard let terms = channel.terms, link.isOpen else { return }
        closing.insert(channel.source)
        send(.disconnect(makeIdentifier(), destination: terms.source, source: channel.source))
    }

    /// The other side has broken a rule: the channel ends with an error on this side.
    func fail(_ channel: LinkChannel, _ error: ChannelError) {
        guard channels[channel.source] === channel else { return }
        close(channel)
        channel.ended(error)
    }

    func receive(_ packet: ChannelPacket) {
        switch packet {
        case .request(let identifier, let terms, let psm): answer(identifier, terms, psm)
        case .response(_, let source, let result): opened(source, result)
        case .credits(_, let source, let count): channel(toEnd: source)?.took(credits: count)
        case .frame(let destination, let length, let bytes):
            channels[destination]?.took(unitLength: length, bytes)
            other.channel(toEnd: destination)?.partDelivered()
        case .disconnected(_, _, let source): closing.remove(source)
        case .disconnect(let identifier, let destination, let source):
            send(.disconnected(identifier, destination: destination, source: source))
            guard let channel = channels.removeValue(forKey: destination) else { return }
            if channel.closedByOther() { draining.append(channel) } else { channel.ended(nil) }
        }
    }

    /// The owner of a channel that the other side had closed has taken the last unit.
    func drained(_ channel: LinkChannel) {
        draining.removeAll { $0 === channel }
        channel.ended(nil)
    }

    /// The channel whose other end has a number.
    private func channel(toEnd source: UInt16) -> LinkChannel? {
        channels.values.first { $0.terms?.source == source }
    }

    private func answer(_ identifier: UInt8, _ terms: ChannelTerms, _ psm: UInt16) {
        func refuse(_ refusal: ChannelRefusal) {
            send(.response(identifier, source: terms.source, .failure(refusal)))
        }
        if !Self.numbers.contains(terms.source) { return refuse(.invalidSource) }
        if channel(toEnd: terms.source) != nil { return refuse(.sourceInUse) }
        guard let number = freeNumber else { return refuse(.noResources) }
        switch link.peer.answer(toChannelOn: psm, over: link) {
        case .refuse(let refusal): refuse(refusal)
        case .accept(let maximumUnitLength, let take):
            let channel = LinkChannel(side: self, source: number, psm: psm, maximumUnitLength: maximumUnitLength)
            channel.opened(terms)
            channels[number] = channel
            send(.response(identifier, source: terms.source, .success(channel.ownTerms)))
            take(channel)
        }
    }

    private func opened(_ source: UInt16, _ result: Result<ChannelTerms, ChannelRefusal>) {
        guard let then = openings.removeValue(forKey: source), let channel = channels[source] else { return }
        switch result {
        case .success(let terms):
            channel.opened(terms)
            then(.success(channel))
        case .failure(let refusal):
            channels[source] = nil
            then(.failure(.refused(refusal)))
        }
    }

    /// The link has ended, and with it the requests for channels, of which nothing is told.
    func stop() {
        let ending = channels.sorted { $0.key < $1.key }.map(\.value) + draining
        (channels, openings, closing, draining) = ([:], [:], [], [])
        for channel in ending { channel.ended(.disconnected) }
    }
}
