// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

extension Characteristic {
    /// Switches notifications on without listening, until ``stopNotifying(timeout:)`` or the end of the connection.
    ///
    /// If the characteristic only indicates, indications are switched on. While they are on, ``value`` is the last
    /// notified value.
    ///
    /// The call counts as a listener: until it is undone, other listeners come and go without a change on the radio.
    ///
    /// - Parameters:
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
    /// - Throws: `.notifyNotSupported`, `.notifyTimeout`, `.notDiscovered`, `.att`, `.disconnected`, `.cancelled`,
    ///   `.poweredOff`, `.invalidated`, `.backend`, `.unconfigured`.
    public func startNotifying(
        transport: NotificationTransport = .standard, timeout: Duration? = nil
    ) async throws(CharacteristicError) {
        let manager = try requireManager()
        try await manager.connections.subscriptions.startNotifying(
            self, transport: transport, timeout: timeout, manager)
    }

    /// Undoes ``startNotifying(transport:timeout:)``.
    ///
    /// Notifications are switched off when no listener is left.
    ///
    /// - Parameter timeout: The maximum time for switching off; nil for as long as the platform waits.
    /// - Throws: As ``startNotifying(transport:timeout:)``.
    public func stopNotifying(timeout: Duration? = nil) async throws(CharacteristicError) {
        let manager = try requireManager()
        try await manager.connections.subscriptions.stopNotifying(self, timeout: timeout, manager)
    }

    /// Not a property: the call switches notifications on, which takes time and can fail.
    @available(*, unavailable, message: "call it: for try await value in try await characteristic.notifications()")
    public var notifications: Notifications { get async throws(CharacteristicError) { try await notifications() } }

    /// Returns the notified or indicated values from now on.
    ///
    /// On return notifications are on, and the first value is not lost.
    ///
    /// Leaving the loop removes the listener; when the last listener is removed, notifications are switched off. See
    /// ``Notifications`` for the end of the sequence.
    ///
    /// - Parameters:
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - onDisconnect: The policy that decides if the sequence ends with the connection or continues after the next
    ///     one.
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
    ///   - valueTimeout: The maximum time that the loop waits for each value, even across connections; then the
    ///     sequence throws `.valueTimeout`. Nil for no limit.
    /// - Throws: As ``startNotifying(transport:timeout:)``.
    public func notifications(
        capacity: StreamCapacity = .newest(1024), onDisconnect: DisconnectPolicy = .end,
        transport: NotificationTransport = .standard, timeout: Duration? = nil, valueTimeout: Duration? = nil
    ) async throws(CharacteristicError) -> Notifications {
        let manager = try requireManager()
        let box = SubscriptionRecord.Box(capacity: capacity)
        let number = try await manager.connections.subscriptions.subscribe(
            self, box: box, onDisconnect: onDisconnect, transport: transport, timeout: timeout, manager)
        return Notifications(
            subscription: Subscription(
                manager: manager, characteristic: self, number: number, box: box,
                deadline: valueTimeout.map { ValueDeadline($0, on: manager.clock, of: box) }))
    }

    /// Returns the notified or indicated values as a plain stream, which ends without an error with the connection, for
    /// a cancelled task, and when it is released.
    ///
    /// - Parameters:
    ///   - capacity: The number of values that are kept for a slow loop; dropped values are counted.
    ///   - onDisconnect: The policy that decides if the stream ends with the connection or continues after the next
    ///     one.
    ///   - transport: The transport of values from the platform's service; the first listener's choice is used.
    ///   - timeout: The maximum time for switching on; nil for as long as the platform waits.
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

/// The policy of a sequence of notifications at the end of the connection.
public enum DisconnectPolicy: Sendable, Hashable {
    /// The sequence ends with the error.
    case end
    /// The sequence continues after the next connection.
    ///
    /// The manager then discovers the characteristic again and switches its notifications on. Values that change
    /// between the connections are not delivered. A characteristic of an included service is found through the primary
    /// service that included the service before. If only a service that is itself included does so, the sequence ends
    /// with `.notDiscovered`.
    case resubscribe
}
