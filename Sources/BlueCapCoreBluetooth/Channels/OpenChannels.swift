// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapSerDe
import CoreBluetooth
import Foundation

/// The channels of a backend that are open.
///
/// Bytes are read from a stream outside of commands alone, and are reported at once: in the order of the stream.
final class OpenChannels {
    /// The number of channels that one device may have.
    static let limit = 64
    /// The maximum number of bytes of a unit to the peer. L7: CoreBluetooth does not report the peer's maximum.
    static let maximumSendLength = 2_048

    /// The time after which the streams of a unit that waits are asked.
    private static let patience = Duration.seconds(1)

    private var channels: [ChannelID: OpenChannel] = [:]
    private var lastID: UInt64 = 0

    /// Whether a device has as many channels as it may.
    func isFull(_ peer: PeerIdentifier) -> Bool { channels.values.count { $0.facts.peer == peer } >= Self.limit }

    /// Whether a channel to a PSM is open.
    func hasChannel(to psm: UInt16) -> Bool { channels.values.contains { $0.facts.psm == psm } }

    // MARK: Beginning

    /// Begins a channel, which is reported before anything of it; false for an object without streams.
    func begin(
        _ object: CBL2CAPChannel, to peer: PeerIdentifier, maximumReceiveLength: Int,
        _ backend: isolated some ChannelHost, _ report: (OpenedChannel) -> ChannelEvent
    ) -> Bool {
        lastID += 1
        let id = ChannelID(rawValue: lastID)
        let facts = OpenedChannel(
            id: id, peer: peer, psm: object.psm, maximumSendLength: Self.maximumSendLength,
            maximumReceiveLength: maximumReceiveLength)
        // A stream may call from inside of its own call, and from anywhere.
        let listener = StreamListener { [weak backend] signal in
            backend?.later { $0.channels.heard(signal, of: id, $0) }
        }
        guard let channel = OpenChannel(object, facts, listener) else { return false }
        channels[id] = channel
        backend.tell(report(facts))
        // The manager may not want it any more.
        channels[id]?.begin(on: backend.queue)
        return true
    }

    // MARK: Commands

    /// The manager takes more units of a channel. They are read once the command has returned.
    func allow(_ id: ChannelID, _ count: Int, _ backend: isolated some ChannelHost) {
        guard let channel = channels[id] else { return }
        channel.allow(count)
        backend.later { $0.channels.pump(id, $0) }
    }

    /// The manager closes a channel.
    func close(_ id: ChannelID, _ backend: isolated some ChannelHost) {
        if let channel = channels.removeValue(forKey: id) { backend.ended(channel.facts) }
    }

    /// Sends a unit.
    func send(_ unit: Bytes, over id: ChannelID, _ request: RequestID, _ backend: isolated some ChannelHost) {
        guard let channel = channels[id] else { return backend.answer(request, channel: .failure(.closed)) }
        channel.add(unit, request)
        backend.later { $0.channels.pump(id, $0) }
    }

    // MARK: Streams

    private func heard(_ signal: StreamListener.Signal, of id: ChannelID, _ backend: isolated some ChannelHost) {
        guard let channel = channels[id] else { return }
        let isLinked = backend.hasLink(channel.facts.peer)
        switch signal {
        case .ready: break
        case .ended: channel.finish(isLinked ? nil : .disconnected)
        case .failed(let error): channel.finish(isLinked ? ChannelError(stream: error) : .disconnected)
        }
        pump(id, backend)
    }

    /// Writes and reads as much as the streams and the manager take. Each report may change everything.
    private func pump(_ id: ChannelID, _ backend: isolated some ChannelHost) {
        while let (request, result) = channels[id]?.nextAnswer() { backend.tell(.reply(request, result)) }
        while let event = channels[id]?.nextEvent() {
            if case .closed = event, let channel = channels.removeValue(forKey: id) { backend.ended(channel.facts) }
            backend.tell(event)
        }
        watch(id, backend)
    }

    /// L4: the event that tells of room, or of an end, can stay away, so while a unit waits its streams are asked.
    private func watch(_ id: ChannelID, _ backend: isolated some ChannelHost) {
        guard let channel = channels[id], channel.isWaiting, !channel.isWatched else { return }
        channel.isWatched = true
        _ = backend.clock.schedule(after: Self.patience) { [weak backend] in
            backend?.later { $0.channels.look(id, $0) }
        }
    }

    private func look(_ id: ChannelID, _ backend: isolated some ChannelHost) {
        guard let channel = channels[id] else { return }
        channel.isWatched = false
        heard(channel.condition, of: id, backend)
    }

    // MARK: Ends

    /// The link of a device has ended, and with it its channels, of which nothing more is reported.
    func drop(of peer: PeerIdentifier) { channels = channels.filter { $0.value.facts.peer != peer } }

    /// All channels have ended, and nothing more is reported.
    func dropAll() { channels = [:] }
}
#endif
