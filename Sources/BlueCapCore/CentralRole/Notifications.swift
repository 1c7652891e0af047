// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The notified or indicated values of a characteristic, in the order of the radio.
///
/// For one consumer. After the values that were buffered it throws, once: `.disconnected` when the link was lost or
/// ended, `.valueTimeout`, `.poweredOff`, `.invalidated`, `.notDiscovered` when the peer took the characteristic away,
/// `.backend`. For a task that is cancelled it ends quietly and at once, whatever is buffered. Leaving the loop, or
/// releasing the sequence, takes the listener off; what is buffered then counts as dropped.
public struct Notifications: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Bytes
    /// The error that ends the sequence.
    public typealias Failure = CharacteristicError

    let subscription: Subscription

    /// How many values this sequence dropped: because there was no room, and those still buffered when its loop was
    /// left.
    public var droppedCount: Int { subscription.box.droppedCount }

    /// An iterator; its release ends what it iterates over.
    public func makeAsyncIterator() -> Iterator { Iterator(lifetime: IterationLifetime(subscription)) }

    /// Takes the values.
    public struct Iterator: AsyncIteratorProtocol {
        let lifetime: IterationLifetime

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next() async throws(CharacteristicError) -> Bytes? {
            try await lifetime.subscription.next()
        }

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CharacteristicError) -> Bytes? {
            try await lifetime.subscription.next()
        }
    }
}

@available(*, unavailable)
extension Notifications.Iterator: Sendable {}
