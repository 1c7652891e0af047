// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Peripheral {
    /// Connects, and runs a body as long as the link is up, again after each new connection.
    ///
    /// The body runs in a child task. When the link is lost, that task is cancelled, and its value or error is ignored;
    /// after the next connection the body begins again. No task outlives the call.
    ///
    /// Scopes share the link of a peripheral: each scope has its own policy and timeout, and the last scope to end also
    /// ends the connection, even a connection that ``connect(timeout:)`` has made. A scope that begins while the last
    /// scope disconnects waits for a new connection. ``disconnect(timeout:)`` ends the connection for all of them.
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
    ///   - policy: The policy by which this scope connects again after a loss or a failed attempt.
    ///   - timeout: The maximum time of each attempt to connect for this scope; nil for no limit. After a loss it
    ///     begins when the peripheral is present again, see ``ReconnectPolicy``.
    ///   - services: The services to discover after each connection, with their characteristics, before the body runs;
    ///     none by default, nil for all.
    ///   - body: The work to do over the link; escaping, because it runs in a child task.
    /// - Returns: The value that the body returned while the link was up. If no other scope uses the connection, it is
    ///   then down, or is still being ended after a wait of 5 seconds.
    /// - Throws: The error that the body threw while the link was up; `PeripheralError` as ``connect(timeout:)``, with
    ///   the last loss or failure if the policy is exhausted, `.forcedDisconnect` if the program disconnects,
    ///   `.cancelled` and `.invalidated`.
    public func stayConnected<Value: Sendable>(
        _ policy: ReconnectPolicy = ReconnectPolicy(), timeout: Duration? = nil,
        discovering services: [BluetoothUUID]? = [],
        _ body: @escaping @Sendable (Peripheral) async throws -> Value
    ) async throws -> Value {
        try await LinkVisits(peripheral: self, policy: policy, timeout: timeout, services: services, body: body).run()
    }
}
