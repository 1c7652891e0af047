// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

extension Characteristic {
    /// Switches notifications (or indications, where it only indicates) on without listening, until
    /// ``stopNotifying(timeout:)`` or the end of the connection. ``value`` follows them meanwhile.
    ///
    /// Counts as one listener: while it holds, listeners come and go without a change on the radio.
    ///
    /// - Parameters:
    ///   - transport: How values travel from the platform's service; the choice of the first listener holds.
    ///   - timeout: How long switching on may take; nil for as long as the platform waits.
    /// - Throws: `.notifyNotSupported`, `.notifyTimeout`, `.notDiscovered`, `.att`, `.disconnected`, `.cancelled`,
    ///   `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func startNotifying(
        transport: NotificationTransport = .standard, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        try await requireManager().startNotifying(self, transport: transport, timeout: timeout)
    }

    /// Ends what ``startNotifying(transport:timeout:)`` began. Notifications are switched off when no listener is left.
    ///
    /// - Parameter timeout: How long switching off may take; nil for as long as the platform waits.
    /// - Throws: As ``startNotifying(transport:timeout:)``.
    public func stopNotifying(timeout: Duration? = nil) async throws(CharacteristicError) {
        try await requireManager().stopNotifying(self, timeout: timeout)
    }

    /// The notified or indicated values, from now on: on return notifications are on, and the first value is not lost.
    ///
    /// Leaving the loop takes the listener off; the last one has notifications switched off. See ``Notifications`` for
    /// how the sequence ends.
    ///
    /// - Parameters:
    ///   - capacity: How many values are kept for a slow loop; what is dropped is counted.
    ///   - onDisconnect: Whether the sequence ends with the connection or goes on after the next one.
    ///   - transport: How values travel from the platform's service; the first listener's choice holds.
    ///   - timeout: How long switching on may take; nil for as long as the platform waits.
    ///   - valueTimeout: How long the loop waits for each value, across connections too; then the sequence throws
    ///     `.valueTimeout`. Nil for as long as it takes.
    /// - Throws: As ``startNotifying(transport:timeout:)``.
    public func notifications(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        transport: NotificationTransport = .standard, timeout: Duration? = nil, valueTimeout: Duration? = nil
    ) async throws(CharacteristicError) -> Notifications {
        let manager = try requireManager()
        let box = SubscriptionRecord.Box(capacity: capacity)
        let number = try await manager.subscribe(
            self, box: box, onDisconnect: onDisconnect, transport: transport, timeout: timeout)
        return Notifications(
            subscription: Subscription(
                manager: manager, characteristic: self, number: number, box: box,
                deadline: valueTimeout.map { ValueDeadline($0, on: manager.clock, of: box) }))
    }

    /// The same as a plain stream, which ends quietly with the connection, for a cancelled task, and when it is
    /// released.
    ///
    /// - Parameters:
    ///   - capacity: How many values are kept for a slow loop; what is dropped is counted.
    ///   - onDisconnect: Whether the stream ends with the connection or goes on after the next one.
    ///   - transport: How values travel from the platform's service; the choice of the first listener holds.
    ///   - timeout: How long switching on may take; nil for as long as the platform waits.
    /// - Throws: As ``startNotifying(transport:timeout:)``.
    public func values(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        transport: NotificationTransport = .standard, timeout: Duration? = nil
    ) async throws(CharacteristicError) -> AsyncStream<Bytes> {
        let notifications = try await notifications(
            capacity: capacity, onDisconnect: onDisconnect, transport: transport, timeout: timeout)
        let subscription = notifications.subscription
        return AsyncStream { try? await subscription.next() }
    }
}

/// One listener's place; its release gives it up.
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

    /// The next value; nil at the end, and for a task that is cancelled.
    @inline(__always)
    nonisolated(nonsending) func next() async throws(CharacteristicError) -> Bytes? {
        guard let deadline else { return try await box.next() }
        deadline.begin()
        defer { deadline.end() }
        return try await box.next()
    }

    /// Takes the listener off; does nothing the second time.
    func end() {
        deadline?.cancel()
        let left = box.close()
        if left > 0 { characteristic.facts.withLock { $0.droppedCount += left } }
        guard let peripheral = characteristic.peripheral?.identifier else { return }
        manager?.later { [attribute = characteristic.id, number] in
            $0.unsubscribe(attribute, of: peripheral, number)
            if left > 0 { $0.meter.dropped(.value, left) }
        }
    }

    deinit { end() }
}

/// Ends a subscription with the loop over it, even where the sequence itself is still held.
final class IterationLifetime: Sendable {
    let subscription: Subscription

    init(_ subscription: Subscription) { self.subscription = subscription }

    deinit { subscription.end() }
}
