// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The notified values of a characteristic, decoded, in the order of the radio; ends as ``Notifications`` does.
///
/// The values are of the type of a ``TypedCharacteristic``, or texts by the characteristic's profile.
public struct TypedNotifications<Value: Sendable>: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = Value
    /// The error that ends the sequence.
    public typealias Failure = CharacteristicError

    let notifications: Notifications
    private let onUndecodable: UndecodablePolicy
    private let decode: @Sendable (Bytes) throws(CharacteristicError) -> Value
    private let skips = Locked(0)

    init(
        notifications: Notifications, onUndecodable: UndecodablePolicy,
        decode: @escaping @Sendable (Bytes) throws(CharacteristicError) -> Value
    ) {
        self.notifications = notifications
        self.onUndecodable = onUndecodable
        self.decode = decode
    }

    /// How many values this sequence dropped: because there was no room, and those still buffered when its loop was
    /// left.
    public var droppedCount: Int { notifications.droppedCount }

    /// How many values this sequence left out because they do not decode.
    public var skippedCount: Int { skips.withLock { $0 } }

    /// An iterator; its release ends what it iterates over.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self, lifetime: IterationLifetime(notifications.subscription))
    }

    /// Takes the values.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: TypedNotifications
        let lifetime: IterationLifetime

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next() async throws(CharacteristicError) -> Value? { try await sequence.next() }

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CharacteristicError) -> Value? {
            try await sequence.next()
        }
    }

    nonisolated(nonsending) func next() async throws(CharacteristicError) -> Value? {
        while let bytes = try await notifications.subscription.next() {
            do throws(CharacteristicError) {
                return try decode(bytes)
            } catch {
                if onUndecodable == .skip {
                    skips.withLock { $0 += 1 }
                    continue
                }
                notifications.subscription.end()
                throw error
            }
        }
        return nil
    }
}

@available(*, unavailable)
extension TypedNotifications.Iterator: Sendable {}

/// What a sequence of typed values does at bytes that are no value of the type.
public enum UndecodablePolicy: Sendable, Hashable {
    /// It throws `.undecodable`, with the bytes, and ends.
    case end
    /// It goes on with the next; the bytes are counted in ``TypedNotifications/skippedCount``.
    case skip
}
