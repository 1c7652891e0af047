// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import Dispatch

/// A backend of either role, for the channels that both have.
protocol ChannelHost: ChannelBackend {
    /// The queue on which CoreBluetooth calls back (M7).
    nonisolated var queue: DispatchQueue { get }
    /// The manager's clock.
    var clock: BlueCapClock { get }
    /// The channels that are open.
    var channels: OpenChannels { get }
    /// Reports an event: now, or once the command has returned from inside of which CoreBluetooth has called back.
    func tell(_ event: ChannelEvent)
    /// Counts a callback that answers no request, or is about an object that is not known.
    func countStray()
    /// Whether the link to a device still stands, as far as the role knows.
    func hasLink(_ peer: PeerIdentifier) -> Bool
    /// A channel has ended, by whichever side.
    func ended(_ channel: OpenedChannel)
}

extension ChannelHost {
    /// Answers a request once the command has returned.
    func answer(_ id: RequestID, channel result: Result<ChannelReply, ChannelError>) {
        later { $0.tell(.reply(id, result)) }
    }
}
#endif
