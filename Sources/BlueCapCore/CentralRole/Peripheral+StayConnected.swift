// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension Peripheral {
    /// Connects, and runs a body for as long as the link stands, again after each new connection.
    ///
    /// The body runs in a child task. When the link is lost that task is cancelled, and what it returns or throws by
    /// then does not count; after the next connection the body begins anew. No task outlives the call. At its end the
    /// connection is ended, too, and ``reconnectPolicy`` is again what it was before.
    ///
    /// ```swift
    /// try await strap.stayConnected(discovering: ["180D"]) { strap in
    ///     let rate = try strap.characteristic("2A37")
    ///     for try await value in try await rate.notifications() { print(value) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - policy: How often, and how long after a loss or a failed attempt, to connect again; it is the peripheral's
    ///     ``reconnectPolicy`` meanwhile.
    ///   - timeout: How long each attempt to connect may take; nil for as long as it takes.
    ///   - services: The services to discover after each connection, with their characteristics, before the body runs;
    ///     none by default, nil for all.
    ///   - body: What to do over the link; escaping, as it runs in a child task.
    /// - Returns: What the body returned while the link stood. The connection is down then, or its end was waited for
    ///   for 5 seconds and goes on.
    /// - Throws: What the body threw while the link stood; `PeripheralError` as ``connect(timeout:)``, with the last
    ///   loss or failure when the policy is exhausted, `.forcedDisconnect` when the program disconnects, `.cancelled`
    ///   and `.invalidated`.
    public func stayConnected<Value: Sendable>(
        _ policy: ReconnectPolicy = ReconnectPolicy(), timeout: Duration? = nil,
        discovering services: [BluetoothUUID]? = [],
        _ body: @escaping @Sendable (Peripheral) async throws -> Value
    ) async throws -> Value {
        let visits = LinkVisits(peripheral: self, services: services, body: body)
        let before = reconnectPolicy
        reconnectPolicy = policy
        let result: Result<Value, any Error>
        do { result = .success(try await visits.run(timeout: timeout)) } catch { result = .failure(error) }
        await disconnect(timeout: .seconds(5))
        reconnectPolicy = before
        return try result.get()
    }
}
