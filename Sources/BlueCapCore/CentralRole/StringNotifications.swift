// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

extension Characteristic {
    /// The notified values as text, by the profile; as ``notifications(capacity:onDisconnect:transport:timeout:)``.
    ///
    /// - Parameters:
    ///   - capacity: How many values are kept for a slow loop; what is dropped is counted.
    ///   - onDisconnect: Whether the sequence ends with the connection or goes on after the next one.
    ///   - onUndecodable: What happens at bytes that the profile does not know as a value.
    ///   - transport: How values travel from the platform's service; the first listener's choice holds.
    ///   - timeout: How long switching on may take; nil for as long as the platform waits.
    public func stringNotifications(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        onUndecodable: UndecodablePolicy = .end, transport: NotificationTransport = .standard, timeout: Duration? = nil
    ) async throws(CharacteristicError) -> StringNotifications {
        let notifications = try await notifications(
            capacity: capacity, onDisconnect: onDisconnect, transport: transport, timeout: timeout)
        return StringNotifications(notifications: notifications, profile: profile, onUndecodable: onUndecodable)
    }
}

/// The notified values of a characteristic as text, in the order of the radio; ends as ``Notifications`` does.
public struct StringNotifications: AsyncSequence, Sendable {
    /// What the sequence gives: names and texts of the value's parts.
    public typealias Element = [String: String]
    /// What the sequence throws.
    public typealias Failure = CharacteristicError

    let notifications: Notifications
    let profile: CharacteristicProfile
    let onUndecodable: UndecodablePolicy
    private let skips = Locked(0)

    init(notifications: Notifications, profile: CharacteristicProfile, onUndecodable: UndecodablePolicy) {
        self.notifications = notifications
        self.profile = profile
        self.onUndecodable = onUndecodable
    }

    /// How many values this sequence dropped: for want of room, and those still buffered when its loop was left.
    public var droppedCount: Int { notifications.droppedCount }

    /// How many values this sequence left out because the profile does not know them.
    public var skippedCount: Int { skips.withLock { $0 } }

    /// An iterator; its release ends what it iterates over.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sequence: self, lifetime: IterationLifetime(notifications.subscription))
    }

    /// Takes the values.
    public struct Iterator: AsyncIteratorProtocol {
        let sequence: StringNotifications
        let lifetime: IterationLifetime

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next() async throws(CharacteristicError) -> [String: String]? {
            try await sequence.next()
        }

        /// The next element; nil at the end, and for a task that is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CharacteristicError) -> [String: String]? {
            try await sequence.next()
        }
    }

    private nonisolated(nonsending) func next() async throws(CharacteristicError) -> [String: String]? {
        while let bytes = try await notifications.subscription.box.next() {
            do throws(SerDeError) {
                return try profile.text(bytes)
            } catch {
                if onUndecodable == .skip {
                    skips.withLock { $0 += 1 }
                    continue
                }
                notifications.subscription.end()
                throw .undecodable(error, bytes)
            }
        }
        return nil
    }
}

@available(*, unavailable)
extension StringNotifications.Iterator: Sendable {}
