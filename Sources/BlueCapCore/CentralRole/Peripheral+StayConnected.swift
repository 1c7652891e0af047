// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Peripheral {
    /// Connects, and runs a body for as long as the link stands, again after each new connection.
    ///
    /// The body runs in a child task. When the link is lost that task is cancelled, and what it returns or throws by
    /// then does not count; after the next connection the body begins again. No task outlives the call.
    ///
    /// Scopes share the link of a peripheral: each has a policy and a timeout for itself, and the last one to leave
    /// ends the connection, also one that ``connect(timeout:)`` has made. A scope that begins while the last one
    /// disconnects waits for a new connection. ``disconnect(timeout:)`` ends the connection for all of them.
    /// While a scope runs, ``reconnectPolicy`` has no effect.
    ///
    /// ```swift
    /// try await strap.stayConnected(discovering: ["180D"]) { strap in
    ///     let rate = try strap.characteristic("2A37")
    ///     for try await value in try await rate.notifications() { print(value) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: How often, and how long after a loss or a failed attempt, this scope connects again.
    ///   - timeout: How long each attempt to connect may take for this scope; nil for as long as it takes. After a loss
    ///     it begins when the peripheral is there again, see ``ReconnectPolicy``.
    ///   - services: The services to discover after each connection, with their characteristics, before the body runs;
    ///     none by default, nil for all.
    ///   - body: What to do over the link; escaping, as it runs in a child task.
    /// - Returns: What the body returned while the link stood. Where no other scope uses it, the connection is down
    ///   then, or is still going down after 5 seconds.
    /// - Throws: What the body threw while the link stood; `PeripheralError` as ``connect(timeout:)``, with the last
    ///   loss or failure when the policy is exhausted, `.forcedDisconnect` when the program disconnects, `.cancelled`
    ///   and `.invalidated`.
    public func stayConnected<Value: Sendable>(
        _ policy: ReconnectPolicy = ReconnectPolicy(), timeout: Duration? = nil,
        discovering services: [BluetoothUUID]? = [],
        _ body: @escaping @Sendable (Peripheral) async throws -> Value
    ) async throws -> Value {
        try await LinkVisits(peripheral: self, policy: policy, timeout: timeout, services: services, body: body).run()
    }
}
