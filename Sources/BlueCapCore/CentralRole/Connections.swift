// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The app's calls about connections, and the events of connections for the app. It has the rooms of all that is done
/// over a connection.
///
/// The connections, their callers and their scopes stand with the records of the peripherals.
struct Connections: Sendable {
    private let events: Multicaster<PeripheralConnectionEvent>
    let polls = SignalPolls()
    let databases: Databases
    let values = AttributeValues()
    let subscriptions = Subscriptions()
    let controlPoints = ControlPoints()

    /// Creates the room, and those in it.
    ///
    /// - Parameters:
    ///   - published: Where events and characteristics are published.
    ///   - maximumAttributes: The maximum number of attributes of one peripheral.
    init(_ published: PublishedCentralState, maximumAttributes: Int) {
        events = published.connectionEvents
        databases = Databases(published.characteristics, maximumAttributes: maximumAttributes)
    }

    /// Sends an event of a connection to the scopes and the app.
    func send(_ event: ConnectionEvent, of record: PeripheralRecord, _ owner: isolated some CentralOwner) {
        if case .disconnected(let error) = event { record.scopes.disconnected(error, owner) }
        record.peripheral.send(event)
        events.push(PeripheralConnectionEvent(peripheral: record.peripheral, event: event))
    }

    // MARK: Calls

    /// Waits for a connection, for a call by hand or for a scope.
    func connect(
        _ peripheral: Peripheral, timeout: Duration?, for user: UInt64? = nil, _ owner: isolated some CentralOwner
    ) async throws(PeripheralError) {
        let number = owner.makeNumber()
        let start: RadioMeter.Start = owner.meter.begin(owner.clock)
        let result: Result<Void, PeripheralError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Decided in here, without a suspension: the executor may have run something else on the way.
                do throws(PeripheralError) {
                    if Task.isCancelled { throw .cancelled }
                    let waiter = ConnectionCallers.Waiter(timeout: timeout, user: user) {
                        continuation.resume(returning: $0)
                    }
                    let record = try owner.book.record(of: peripheral, owner)
                    try checkRadio(owner)
                    if try record.connection.join(waiter, number, owner) {
                        continuation.resume(returning: .success(()))
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            owner.later(with: peripheral.identifier) { $1.connection.leave(number, .cancelled, $0) }
        }
        owner.meter.end("connect", MeteredOutcome(result), since: start, owner.clock)
        try result.get()
    }

    private func checkRadio(_ owner: isolated some CentralOwner) throws(PeripheralError) {
        if owner.isInvalidated { throw .invalidated }
        if owner.state != .poweredOn { throw PeripheralError(owner.radio.reason) }
    }

    /// Ends the connection or the attempt, and returns when there is none, or when the task is cancelled.
    func disconnect(_ peripheral: Peripheral, timeout: Duration?, _ owner: isolated some CentralOwner) async -> Bool {
        guard let record = owner.book.known(peripheral), let count = record.connection.forceEnd(owner) else {
            return true
        }
        return await end(of: record, after: count, timeout, owner)
    }

    /// Returns when the connection or the attempt that was being ended is down; false when that takes longer, or when
    /// the task is cancelled.
    private func end(
        of record: PeripheralRecord, after count: UInt64, _ timeout: Duration?, _ owner: isolated some CentralOwner
    ) async -> Bool {
        let id = record.peripheral.identifier
        let number = owner.makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: false) }
                record.connection.waitForEnd(after: count, number, timeout, owner) {
                    continuation.resume(returning: $0)
                }
            }
        } onCancel: {
            owner.later(with: id) { $1.connection.stopWaitingForEnd(number, $0) }
        }
    }

    /// Returns when the connection or the attempt that was being ended is down, without waiting for the end of the next
    /// connection. A cancelled task waits too, since the caller's next step may only follow this end.
    ///
    /// - Parameters:
    ///   - record: The record with the connection.
    ///   - count: How many ends there were before; nil if there is nothing to wait for.
    ///   - end: When to stop waiting, on the manager's clock; nil for never.
    ///   - owner: The manager.
    /// - Returns: Whether it is down.
    func ended(
        _ record: PeripheralRecord, after count: UInt64?, until end: Duration?, _ owner: isolated some CentralOwner
    )
        async -> Bool
    {
        guard let count else { return true }
        let number = owner.makeNumber()
        let timeout = end.map { $0 - owner.clock.elapsed }
        return await withCheckedContinuation { continuation in
            record.connection.waitForEnd(after: count, number, timeout, owner) { continuation.resume(returning: $0) }
        }
    }

    // MARK: Calls of scopes

    /// A scope begins to use a peripheral's link.
    ///
    /// - Returns: The number of the scope.
    func join(_ peripheral: Peripheral, _ policy: ReconnectPolicy, _ owner: isolated some CentralOwner)
        throws(PeripheralError) -> UInt64
    {
        try owner.book.record(of: peripheral, owner).scopes.join(policy, owner)
    }

    /// A scope ends. The last one ends the link, and waits for that for 5 seconds at most.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - gaveUp: Whether the scope's policy is exhausted.
    ///   - owner: The manager.
    func leave(_ number: UInt64, of peripheral: Peripheral, gaveUp: Bool, _ owner: isolated some CentralOwner) async {
        guard let record = owner.book.known(peripheral), record.scopes.leave(number, gaveUp: gaveUp, owner),
            record.link != .idle
        else { return }
        _ = await end(of: record, after: record.connection.machine.endCount, .seconds(5), owner)
    }

    /// Returns the next step of a scope after a loss or a failed attempt.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - failure: Why the attempt has failed; nil after a loss.
    ///   - owner: The manager.
    func nextStep(
        of number: UInt64, _ peripheral: Peripheral, after failure: PeripheralError?,
        _ owner: isolated some CentralOwner
    ) -> LinkUser.Step {
        if owner.isInvalidated { return .end(.invalidated) }
        return owner.book.known(peripheral)?.scopes.nextStep(of: number, after: failure, owner)
            ?? .end(.forcedDisconnect)
    }

    /// Waits before a scope's next attempt: until its time has come, or the link stands or the radio is back before.
    ///
    /// - Parameters:
    ///   - number: The number of the scope.
    ///   - peripheral: The peripheral.
    ///   - delay: How long to wait; nil for the radio.
    ///   - owner: The manager.
    func rest(_ number: UInt64, of peripheral: Peripheral, for delay: Duration?, _ owner: isolated some CentralOwner)
        async
    {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !owner.isClosed, let record = owner.book.known(peripheral),
                    record.scopes.rest(number, for: delay, owner, resume: { continuation.resume() })
                else { return continuation.resume() }
            }
        } onCancel: {
            owner.later(with: peripheral.identifier) { $1.scopes.wake(number, $0) }
        }
    }
}
