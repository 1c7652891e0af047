// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The manager behind the handles of channels, whichever role it has.
protocol ChannelKeeper: AnyObject, Sendable {
    /// Sends a unit after those before it, and returns when it went out.
    func send(_ unit: Bytes, over box: ChannelBox) async -> Result<Void, ChannelError>
    /// The app has taken this many units.
    nonisolated func channelUnitsTaken(_ box: ChannelBox, _ count: Int)
    /// The app has closed a channel.
    nonisolated func channelClosed(_ box: ChannelBox)
    /// The app takes no more channels on a PSM.
    nonisolated func channelsWithdrawn(_ psm: UInt16, _ channels: Mailbox<Channel, ChannelError>)
    /// The app has released a channel with this many units that it has not taken.
    nonisolated func channelUnitsDropped(_ count: Int)
}

/// A manager over a backend that may have channels.
protocol ChannelOwner: RadioManager, ChannelKeeper {
    nonisolated var channelBackend: any ChannelBackend { get }
    nonisolated var channelCounts: Locked<ChannelTotals> { get }
}

extension ChannelOwner {
    func send(_ unit: Bytes, over box: ChannelBox) async -> Result<Void, ChannelError> {
        await requests.channels.send(unit, over: box, self)
    }

    nonisolated func channelUnitsTaken(_ box: ChannelBox, _ count: Int) {
        later { $0.requests.channels.taken(box, count, $0) }
    }

    nonisolated func channelClosed(_ box: ChannelBox) { later { $0.requests.channels.close(box, $0) } }

    nonisolated func channelsWithdrawn(_ psm: UInt16, _ channels: Mailbox<Channel, ChannelError>) {
        later { $0.requests.channels.withdraw(psm, channels, $0) }
    }

    nonisolated func channelUnitsDropped(_ count: Int) {
        channelCounts.withLock { $0.droppedUnitCount += count }
        meter.dropped(.unit, count)
    }

    /// Why no operation on channels can be begun now.
    var channelRefusal: ChannelError? { refusalByRadio.map { ChannelError($0) } }
}

extension ChannelError {
    /// The error of a channel for the outcome of a request to pair.
    init(_ outcome: Outcome) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut: self = .openTimeout
        case .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .gone: self = .disconnected
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}
