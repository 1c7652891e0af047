// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// Runs a body over each connection of a peripheral in turn, for one of the scopes that share its link.
struct LinkVisits<Value: Sendable>: Sendable {
    let peripheral: Peripheral
    let policy: ReconnectPolicy
    /// How long each attempt may take; nil for as long as it takes.
    let timeout: Duration?
    /// The services to discover before the body runs; nil for all, empty for no discovery.
    let services: [BluetoothUUID]?
    let body: @Sendable (Peripheral) async throws -> Value

    /// How the scope has ended, where its body has not ended it.
    private struct Ended: Error {
        let error: PeripheralError
        var gaveUp = false
    }

    /// Connects and runs the body until it returns over a link that stands, or the scope connects no more.
    func run() async throws -> Value {
        let number = try await join()
        let result: Result<Value, any Error>
        var gaveUp = false
        do {
            result = .success(try await follow(number))
        } catch let ended as Ended {
            result = .failure(ended.error)
            gaveUp = ended.gaveUp
        } catch {
            result = .failure(error)
        }
        if let manager = peripheral.manager {
            await manager.connections.leave(number, of: peripheral, gaveUp: gaveUp, manager)
        }
        return try result.get()
    }

    private func join() async throws(PeripheralError) -> UInt64 {
        let manager = try peripheral.requireManager()
        return try await manager.connections.join(peripheral, policy, manager)
    }

    private func follow(_ number: UInt64) async throws -> Value {
        while true {
            let failure = await connect(number)
            if failure == nil, let value = try await visit() { return value }
            if Task.isCancelled { throw Ended(error: .cancelled) }
            guard let manager = peripheral.manager else { throw Ended(error: .invalidated) }
            switch await manager.connections.nextStep(of: number, peripheral, after: failure, manager) {
            case .connect(let delay): await manager.connections.rest(number, of: peripheral, for: delay, manager)
            case .end(let error, let gaveUp): throw Ended(error: error, gaveUp: gaveUp)
            }
        }
    }

    /// Connects, as one of the attempt's callers.
    ///
    /// - Returns: Why not; nil when the link stands.
    private func connect(_ number: UInt64) async -> PeripheralError? {
        do {
            let manager = try peripheral.requireManager()
            try await manager.connections.connect(peripheral, timeout: timeout, for: number, manager)
            return nil
        } catch {
            return error
        }
    }

    /// Runs the body over the link that stands now.
    ///
    /// - Returns: The value of the body; nil when the link was lost first, or there is none.
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

    /// Returns the result of the body over the connection with a number; nil when that connection was lost before.
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
