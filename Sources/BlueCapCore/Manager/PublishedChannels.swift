// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The channels that centrals open to a PSM of this device, in their order.
///
/// ```swift
/// let published = try await manager.publishChannel(encrypted: true)
/// print("listening on", published.psm)                // centrals have to learn it, from a characteristic for example
/// for try await channel in published {
///     try await channel.send([1])
/// }
/// ```
///
/// The sequence is for one consumer. Leaving the loop, or releasing the sequence, takes the PSM back: channels that
/// were taken stay open, and those that were not are closed. It throws once: `.poweredOff` when the radio went off,
/// after which the PSM is to be published again, or `.invalidated`. For a cancelled task it ends without an error.
public struct PublishedChannels: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Channel
    /// The error that ends the sequence.
    public typealias Failure = ChannelError

    let publication: Publication

    /// The PSM to which centrals open channels, 128 through 255 where the platform chose it.
    public var psm: UInt16 { publication.psm }

    /// Returns an iterator; its release takes the PSM back.
    public func makeAsyncIterator() -> Iterator { Iterator(lifetime: PublicationLifetime(publication)) }

    /// The iterator of the channels.
    public struct Iterator: AsyncIteratorProtocol {
        let lifetime: PublicationLifetime

        /// Returns the next channel; nil at the end, and for a cancelled task.
        public mutating func next() async throws(ChannelError) -> Channel? {
            try await lifetime.publication.channels.next()
        }

        /// Returns the next channel; nil at the end, and for a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ChannelError) -> Channel? {
            try await lifetime.publication.channels.next()
        }
    }
}

@available(*, unavailable)
extension PublishedChannels.Iterator: Sendable {}

/// The publication of a PSM, which ends when it is released.
final class Publication: Sendable {
    let psm: UInt16
    let channels: Mailbox<Channel, ChannelError>
    private weak let keeper: (any ChannelKeeper)?

    init(psm: UInt16, _ channels: Mailbox<Channel, ChannelError>, keeper: any ChannelKeeper) {
        self.psm = psm
        self.channels = channels
        self.keeper = keeper
    }

    /// Takes the PSM back. A second call does nothing.
    func end() {
        channels.close()
        keeper?.channelsWithdrawn(psm, channels)
    }

    deinit { end() }
}

/// Ends a publication with the loop over it, even if the sequence itself is still retained.
final class PublicationLifetime: Sendable {
    let publication: Publication

    init(_ publication: Publication) { self.publication = publication }

    deinit { publication.end() }
}
