// SPDX-License-Identifier: MIT

extension Peripheral {
    /// Connects, and returns when the connection is established, immediately if it already is.
    ///
    /// The call waits for a peripheral that is out of range, switched off, or no longer known to the platform.
    ///
    /// Concurrent callers share an attempt: a caller that gives up leaves it to the others, and when the last caller
    /// gives up, the attempt is cancelled. With a ``reconnectPolicy`` a failed attempt is repeated for its callers by
    /// the rules of the policy, each time with the timeout, and the call throws when the policy is exhausted.
    ///
    /// - Parameter timeout: The maximum time of an attempt, from the call; nil for no limit.
    /// - Throws: `.connectionTimeout`, also if the policy's ``ReconnectPolicy/maximumAbsence`` is over; `.cancelled`;
    ///   `.forcedDisconnect` if the program disconnects during the call; `.poweredOff`; `.invalidated`; `.backend` or
    ///   `.disconnected` if the attempt failed.
    public func connect(timeout: Duration? = nil) async throws(PeripheralError) {
        let manager = try requireManager()
        try await manager.connections.connect(self, timeout: timeout, manager)
    }

    /// Connects again with the timeout of the last ``connect(timeout:)``, after a delay.
    ///
    /// - Parameter delay: The time to wait before connecting, on the manager's clock.
    /// - Throws: As ``connect(timeout:)``.
    public func reconnect(after delay: Duration = .zero) async throws(PeripheralError) {
        let manager = try requireManager()
        if delay > .zero {
            do { try await manager.clock.sleep(for: delay) } catch { throw .cancelled }
        }
        try await manager.connections.connect(self, timeout: manager.attemptTimeout(of: identifier), manager)
    }

    /// Ends the connection, or the attempt at one, and returns when the link is down.
    ///
    /// The manager does not reconnect on its own afterwards.
    ///
    /// In a cancelled task the call requests the end and returns without waiting for it.
    ///
    /// - Parameter timeout: The maximum time to wait; nil for no limit. The manager continues to end the connection
    ///   after this time.
    /// - Returns: True if the connection is down.
    @discardableResult
    public func disconnect(timeout: Duration? = nil) async -> Bool {
        guard let manager else { return true }
        return await manager.connections.disconnect(self, timeout: timeout, manager)
    }

    /// Ends the connection and makes the manager forget this peripheral.
    ///
    /// The call returns when the peripheral is forgotten, even in a cancelled task.
    ///
    /// - Parameter timeout: The maximum time to wait for the end of the connection; nil for no limit. After this time
    ///   the manager still knows the peripheral, and continues to end the connection.
    /// - Returns: True if the peripheral is forgotten.
    @discardableResult
    public func terminate(timeout: Duration? = .seconds(5)) async -> Bool {
        await manager?.terminate(self, timeout: timeout) ?? true
    }
}
