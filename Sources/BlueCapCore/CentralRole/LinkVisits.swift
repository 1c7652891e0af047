// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Runs a body over each connection of a peripheral in turn.
struct LinkVisits<Value: Sendable>: Sendable {
    let peripheral: Peripheral
    /// What to discover before the body runs; nil for all, none for nothing.
    let services: [BluetoothUUID]?
    let body: @Sendable (Peripheral) async throws -> Value

    /// Connects and runs the body until it returns over a link that stands, or nothing connects any more.
    func run(timeout: Duration?) async throws -> Value {
        do { return try await follow(timeout: timeout) } catch PeripheralError.forcedDisconnect {
            // The end of the manager is one of its connections, too.
            throw await peripheral.manager?.isInvalidated ?? true ? PeripheralError.invalidated : .forcedDisconnect
        }
    }

    private func follow(timeout: Duration?) async throws -> Value {
        // The end of an earlier connection is not this scope's.
        guard try await peripheral.requireManager().waitForEnd(peripheral, timeout: timeout) else {
            throw Task.isCancelled ? PeripheralError.cancelled : .connectionTimeout
        }
        // Every event since before the first connection, in order. One that is late leads to a visit that finds no
        // link.
        let events = peripheral.connectionEvents()
        try await peripheral.connect(timeout: timeout)
        if let value = try await visit() { return value }
        var reason = PeripheralError.disconnected
        for await event in events {
            switch event {
            case .connected: if let value = try await visit() { return value }
            case .disconnected(let error): reason = error
            case .timedOut: reason = .connectionTimeout
            case .forcedDisconnect: throw PeripheralError.forcedDisconnect
            case .gaveUp: throw reason
            }
            // Without a policy no event says that nothing more is tried.
            if event != .connected, peripheral.reconnectPolicy == .never { throw reason }
        }
        throw Task.isCancelled ? PeripheralError.cancelled : .invalidated
    }

    /// Runs the body over the link that stands now.
    ///
    /// - Returns: What it returned; nil when the link was lost first, or there is none.
    private func visit() async throws -> Value? {
        let count = peripheral.statistics.connectionCount
        guard stands(count) else { return nil }
        let outcome = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
            group.addTask {
                await waitForEnd(ofConnection: count)
                return nil
            }
            group.addTask { await runBody(over: count) }
            var outcome: Result<Value, any Error>?
            for await result in group {
                outcome = outcome ?? result
                group.cancelAll()
            }
            return outcome
        }
        return try outcome?.get()
    }

    /// What the body returns or throws while the connection with a number stands; nil when that was lost before.
    private func runBody(over count: Int) async -> Result<Value, any Error>? {
        let result: Result<Value, any Error>
        do {
            if services != [] { try await peripheral.discover(services) }
            result = .success(try await body(peripheral))
        } catch {
            result = .failure(error)
        }
        return stands(count) ? result : nil
    }

    /// Whether the connection with a number is still there.
    private func stands(_ count: Int) -> Bool {
        peripheral.state == .connected && peripheral.statistics.connectionCount == count
    }

    private func waitForEnd(ofConnection count: Int) async {
        let events = peripheral.connectionEvents()
        if !stands(count) { return }
        for await _ in events where !stands(count) { return }
    }
}
