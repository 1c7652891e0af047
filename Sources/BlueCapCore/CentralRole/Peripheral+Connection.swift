// SPDX-License-Identifier: MIT

extension Peripheral {
    /// Connects; returns when the connection stands, at once if it does.
    ///
    /// A peripheral that is out of range, switched off, or no longer known to the platform is waited for.
    ///
    /// An attempt is shared: concurrent callers wait for the same one, one that gives up leaves it to the others, and
    /// when the last one gives up, the attempt is cancelled. With a ``reconnectPolicy`` a failed attempt is repeated
    /// for its callers as the policy says, each with the timeout, and the call throws when the policy is exhausted.
    ///
    /// - Parameter timeout: How long an attempt may take, from the call; nil for as long as it takes.
    /// - Throws: `.connectionTimeout`, also when the policy's ``ReconnectPolicy/maximumAbsence`` is over; `.cancelled`;
    ///   `.forcedDisconnect` when the program disconnects meanwhile;
    ///   `.poweredOff`; `.invalidated`; `.backend` or `.disconnected` when the attempt failed.
    public func connect(timeout: Duration? = nil) async throws(PeripheralError) {
        try await requireManager().connect(self, timeout: timeout)
    }

    /// Connects again with the timeout of the last ``connect(timeout:)``, after a delay.
    ///
    /// - Parameter delay: How long to wait first, on the manager's clock.
    /// - Throws: As ``connect(timeout:)``.
    public func reconnect(after delay: Duration = .zero) async throws(PeripheralError) {
        let manager = try requireManager()
        if delay > .zero {
            do { try await manager.clock.sleep(for: delay) } catch { throw .cancelled }
        }
        try await manager.connect(self, timeout: manager.attemptTimeout(of: identifier))
    }

    /// Ends the connection, or the attempt at one, and returns when it is down. Nothing reconnects on its own after it.
    ///
    /// In a cancelled task it asks for the end and returns without waiting for it.
    ///
    /// - Parameter timeout: How long to wait; nil for as long as it takes. The end goes on after it.
    /// - Returns: Whether the connection is down.
    @discardableResult
    public func disconnect(timeout: Duration? = nil) async -> Bool {
        await manager?.disconnect(self, timeout: timeout) ?? true
    }

    /// Ends the connection and has the manager forget this peripheral; returns when it is forgotten, in a cancelled
    /// task too.
    ///
    /// - Parameter timeout: How long to wait for the end of the connection; nil for as long as it takes. After it the
    ///   manager still knows the peripheral, and the end goes on.
    /// - Returns: Whether it is forgotten.
    @discardableResult
    public func terminate(timeout: Duration? = .seconds(5)) async -> Bool {
        await manager?.terminate(self, timeout: timeout) ?? true
    }
}
