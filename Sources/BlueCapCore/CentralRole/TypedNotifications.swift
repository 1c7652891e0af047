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

    /// The number of values that this sequence dropped: values for which there was no room, and values still buffered
    /// when its loop was left.
    public var droppedCount: Int { notifications.droppedCount }

    /// The number of values that this sequence skipped because they could not be decoded.
    public var skippedCount: Int { skips.withLock { $0 } }

    /// Returns an iterator; its release ends the sequence.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self, lifetime: IterationLifetime(notifications.subscription))
    }

    /// The iterator of the values.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: TypedNotifications
        let lifetime: IterationLifetime

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next() async throws(CharacteristicError) -> Value? { try await sequence.next() }

        /// Returns the next element; nil at the end, and for a cancelled task.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(CharacteristicError) -> Value? {
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

/// The policy of a sequence of typed values for bytes that are not a value of the type.
public enum UndecodablePolicy: Sendable, Hashable {
    /// The sequence throws `.undecodable`, with the bytes, and ends.
    case end
    /// The sequence continues with the next value; the bytes are counted in ``TypedNotifications/skippedCount``.
    case skip
}
