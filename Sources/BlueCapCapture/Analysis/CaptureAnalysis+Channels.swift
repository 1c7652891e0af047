// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

extension CaptureAnalysis {
    /// A unit that the newest packet completes.
    package struct JoinedUnit: Sendable {
        package var device: PeerIdentifier
        package var psm: UInt16
        package var unit: CapturedChannel.Unit
    }

    /// About as many bytes as a channel, and a unit, take beside their contents.
    private static let (channelByteCount, unitByteCount) = (256, 96)

    /// Returns the connection-oriented channels for which a device was asked, in the order of the requests, as far as
    /// they are known by now.
    public func channels(of device: PeerIdentifier) -> [CapturedChannel] {
        trace(of: device)?.channels.sorted { $0.key < $1.key }.map(\.value) ?? []
    }

    mutating func learn(_ frame: ChannelConversation.Frame, on link: inout LinkTrace, of packet: CapturedPacket) {
        let ends = [shortenedIdentity(of: link.central), shortenedIdentity(of: link.peripheral)]
        if let only, !ends.contains(identity(of: only)) { return }
        if storedByteCount >= limits.bytes, link.channels.knows(frame) {
            droppedCount += 1
            return
        }
        let before = link.channels.counts
        for event in link.channels.take(frame, next: &channelCount) {
            switch event.kind {
            case .asked: store(Self.channelByteCount)
            case .frame(_, let unit): store(frame.payload.count + (unit == nil ? 0 : Self.unitByteCount))
            default: break
            }
            take(event, on: link, at: packet.time)
        }
        channelCounts.add(link.channels.counts, since: before)
    }

    /// The channels of a link that ended end with it.
    mutating func endChannels(of link: LinkTrace) {
        for event in link.channels.unended { take(event, on: link, at: nil) }
    }

    private mutating func take(_ event: ChannelConversation.Event, on link: LinkTrace, at time: Timestamp?) {
        let device = shortenedIdentity(of: link.device(event.device))
        if let only, identity(of: only) != device { return }
        // A device that is not kept is not there for the rest of its channel either.
        if case .asked = event.kind {} else if trace(of: device)?.channels[event.channel] == nil { return }
        var joined: JoinedUnit?
        change(device) { trace in
            trace.seen(at: time)
            guard let unit = trace.take(event, time: time, isEncrypted: link.isEncrypted) else { return }
            joined = JoinedUnit(device: device, psm: trace.channels[event.channel]?.psm ?? 0, unit: unit)
        }
        if let joined { self.joined.append(joined) }
    }
}

extension CapturedChannelCounts {
    fileprivate mutating func add(_ later: CapturedChannelCounts, since earlier: CapturedChannelCounts) {
        malformed += later.malformed - earlier.malformed
        unexplained += later.unexplained - earlier.unexplained
        enhanced += later.enhanced - earlier.enhanced
    }
}
