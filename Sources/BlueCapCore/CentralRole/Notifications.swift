// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The notified or indicated values of a characteristic, in the order of the radio.
///
/// The sequence is for one consumer. After the buffered values it throws once: `.disconnected` if the link was lost or
/// ended, `.valueTimeout`, `.poweredOff`, `.invalidated`, `.notDiscovered` if the peer removed the characteristic,
/// `.backend`. For a cancelled task it ends at once and without an error, even if values are buffered. Leaving the
/// loop, or releasing the sequence, removes the listener; values that are buffered then count as dropped.
public struct Notifications: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Bytes
    /// The error that ends the sequence.
    public typealias Failure = CharacteristicError

    let subscription: Subscription

    /// The number of values that this sequence dropped: values for which there was no room, and values still buffered
    /// when its loop was left.
    public var droppedCount: Int { subscription.box.droppedCount }

    /// Returns an iterator; its release ends the sequence.
    public func makeAsyncIterator() -> Iterator { Iterator(lifetime: IterationLifetime(subscription)) }

    /// The iterator of the values.
    public struct Iterator: AsyncIteratorProtocol {
        let lifetime: IterationLifetime

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next() async throws(CharacteristicError) -> Bytes? {
            try await lifetime.subscription.next()
        }

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(CharacteristicError) -> Bytes? {
            try await lifetime.subscription.next()
        }
    }
}

@available(*, unavailable)
extension Notifications.Iterator: Sendable {}

/// The registration of a listener, which ends when it is released.
final class Subscription: Sendable {
    let box: SubscriptionRecord.Box
    private weak let manager: CentralManager?
    private let characteristic: Characteristic
    private let number: UInt64
    private let deadline: ValueDeadline?

    init(
        manager: CentralManager, characteristic: Characteristic, number: UInt64, box: SubscriptionRecord.Box,
        deadline: ValueDeadline?
    ) {
        self.manager = manager
        self.box = box
        self.deadline = deadline
        self.number = number
        self.characteristic = characteristic
    }

    /// Returns the next value; nil at the end, and for a cancelled task.
    @inline(__always)
    nonisolated(nonsending) func next() async throws(CharacteristicError) -> Bytes? {
        guard let deadline else { return try await box.next() }
        deadline.begin()
        defer { deadline.end() }
        return try await box.next()
    }

    /// Removes the listener. A second call does nothing.
    func end() {
        deadline?.cancel()
        let left = box.close()
        if left > 0 { characteristic.facts.withLock { $0.droppedCount += left } }
        guard let peripheral = characteristic.peripheral?.identifier else { return }
        manager?.later { [attribute = characteristic.id, number] in
            $0.connections.subscriptions.unsubscribe(attribute, of: peripheral, number, $0)
            if left > 0 { $0.meter.dropped(.value, left) }
        }
    }

    deinit { end() }
}

/// Ends a subscription with the loop over it, even if the sequence itself is still retained.
final class IterationLifetime: Sendable {
    let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    deinit { subscription.end() }
}
