// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// Makes and ends connections: the app's calls and the backend's events go to the machine of the connection, and its
/// actions are carried out. It has the rooms of all that is done over a connection.
///
/// The machines and their callers stand in the records of the peripherals.
struct Connections: Sendable {
    private let events: Multicaster<PeripheralConnectionEvent>
    let scopes = LinkScopes()
    let polls = SignalPolls()
    let databases: Databases
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

    /// Waits for a connection, for a call by hand or for a scope.
    func connect(
        _ peripheral: Peripheral, timeout: Duration?, for user: UInt64? = nil, _ owner: isolated CentralManager
    ) async throws(PeripheralError) {
        let number = owner.makeNumber()
        let start: RadioMeter.Start = owner.meter.begin(owner.clock)
        let result: Result<Void, PeripheralError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Decided in here, without a suspension: the executor may have run something else on the way.
                do throws(PeripheralError) {
                    if Task.isCancelled { throw .cancelled }
                    let waiter = PeripheralRecord.Waiter(timeout: timeout, user: user) {
                        continuation.resume(returning: $0)
                    }
                    if try isConnected(peripheral, orAdds: waiter, number, owner) {
                        continuation.resume(returning: .success(()))
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            owner.later { leave(peripheral.identifier, number, .cancelled, $0) }
        }
        owner.meter.end("connect", MeteredOutcome(result), since: start, owner.clock)
        try result.get()
    }

    /// Ends the connection or the attempt, and returns when there is none, or when the task is cancelled.
    func disconnect(_ peripheral: Peripheral, timeout: Duration?, _ owner: isolated CentralManager) async -> Bool {
        guard let record = owner.book.known(peripheral),
            let count = forceEnd(record, owner)
        else { return true }
        return await end(of: record, after: count, timeout, owner)
    }

    /// Returns when the connection or the attempt that was being ended is down; false when that takes longer, or when
    /// the task is cancelled.
    func end(of record: PeripheralRecord, after count: UInt64, _ timeout: Duration?, _ owner: isolated CentralManager)
        async -> Bool
    {
        let id = record.peripheral.identifier
        let number = owner.makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: false) }
                wait(for: record, toEndAfter: count, number, timeout, owner) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            owner.later { stopWaiting(number, forEndOf: id, $0) }
        }
    }

    /// Asks for the end of whatever there is, for good.
    ///
    /// - Returns: How many ends there were before the one that was asked for; nil if there is nothing to end.
    func forceEnd(_ record: PeripheralRecord, _ owner: isolated CentralManager) -> UInt64? {
        let needsEvent = scopes.endUsers(of: record, owner) && !record.connection.isMending
        endLink(of: record, owner)
        if needsEvent { send(.forcedDisconnect, of: record, owner) }
        return record.link == .idle ? nil : record.connection.endCount
    }

    /// Ends the link, the attempt, and the requests that wait for the next link, as none is about to be made.
    func endLink(of record: PeripheralRecord, _ owner: isolated CentralManager) {
        carryOut(record.connection.forceEnd(), for: record, owner)
        if record.isForgettable { controlPoints.endRequestsWithoutLink(of: record, owner) }
    }

    /// Returns when the connection or the attempt that was being ended is down, without waiting for the end of the next
    /// connection. A cancelled task waits too, since the caller's next step may only follow this end.
    ///
    /// - Parameters:
    ///   - record: The record with the connection.
    ///   - count: How many ends there were before; nil if there is nothing to wait for.
    ///   - end: When to stop waiting, on the manager's clock; nil for never.
    /// - Returns: Whether it is down.
    func ended(_ record: PeripheralRecord, after count: UInt64?, until end: Duration?, _ owner: isolated CentralManager)
        async -> Bool
    {
        guard let count else { return true }
        let number = owner.makeNumber()
        let timeout = end.map { $0 - owner.clock.elapsed }
        return await withCheckedContinuation { continuation in
            wait(for: record, toEndAfter: count, number, timeout, owner) { continuation.resume(returning: $0) }
        }
    }

    private func wait(
        for record: PeripheralRecord, toEndAfter count: UInt64, _ number: UInt64, _ timeout: Duration?,
        _ owner: isolated CentralManager, _ resume: @escaping (Bool) -> Void
    ) {
        if record.connection.endCount != count { return resume(true) }
        if owner.isClosed { return resume(false) }
        let id = record.peripheral.identifier
        let deadline = timeout.map { timeout in owner.after(timeout) { stopWaiting(number, forEndOf: id, $0) } }
        record.endWaiters[number] = .init(deadline: deadline, resume: resume)
    }

    private func stopWaiting(_ number: UInt64, forEndOf id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let waiter = owner.book.known(id)?.endWaiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(false)
    }

    /// Tells those who wait for the end of a connection that it was not down in time.
    func giveUpWaiting(forEndOf record: PeripheralRecord, _ owner: isolated CentralManager) {
        for number in record.endWaiters.keys.sorted() {
            stopWaiting(number, forEndOf: record.peripheral.identifier, owner)
        }
    }

    private func checkRadio(_ owner: isolated CentralManager) throws(PeripheralError) {
        if owner.isInvalidated { throw .invalidated }
        if owner.state != .poweredOn { throw PeripheralError(owner.radio.reason) }
    }

    // MARK: Callers

    private func isConnected(
        _ peripheral: Peripheral, orAdds waiter: PeripheralRecord.Waiter, _ number: UInt64,
        _ owner: isolated CentralManager
    ) throws(PeripheralError) -> Bool {
        let record = try owner.book.record(of: peripheral, owner)
        try checkRadio(owner)
        if let user = waiter.user, record.users[user]?.isActive != true { throw .forcedDisconnect }
        record.connection.asked(timeout: waiter.timeout)
        owner.wantedChanged()
        if record.link == .connected, record.times.report == nil {
            if let user = waiter.user { record.users[user]?.connected() }
            return true
        }
        record.waiters[number] = waiter
        if let user = waiter.user { scopes.attemptBegins(of: user, record, owner) }
        carryOut(record.connection.joined(surroundings(of: record, owner)), for: record, caller: number, owner)
        return false
    }

    /// One caller gives up: by timeout or cancellation.
    func leave(_ id: PeerIdentifier, _ number: UInt64, _ error: PeripheralError, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id), record.waiters[number] != nil else { return }
        let actions = record.connection.left(surroundings(of: record, owner), isTimeout: error == .connectionTimeout)
        carryOut(actions, for: record, caller: number, error: error, owner)
    }

    // MARK: The backend's events

    func peripheralHeard(_ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        carryOut(record.connection.heard(surroundings(of: record, owner)), for: record, owner)
        if record.connection.isTried { startCallersTime(record, owner) }
    }

    func connected(_ id: PeerIdentifier, _ maximumTransmissionUnit: Int?, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        carryOut(record.connection.connected(maximumTransmissionUnit: maximumTransmissionUnit), for: record, owner)
    }

    func connectFailed(_ id: PeerIdentifier, _ failure: OperationFailure, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        carryOut(record.connection.connectFailed(failure, surroundings(of: record, owner)), for: record, owner)
    }

    func disconnected(_ id: PeerIdentifier, _ failure: BackendFailure?, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        let (isGoodbye, isEndedByApp) = (failure?.isGoodbye ?? false, record.connection.isEndedByApp)
        let failure = failure.map { OperationFailure.backend($0) } ?? .disconnected
        // The requests that the end of the connection ends have not failed then.
        record.endsInOrder = isGoodbye || isEndedByApp
        carryOut(record.connection.disconnected(failure, surroundings(of: record, owner)), for: record, owner)
        record.endsInOrder = false
    }

    // MARK: Events for the app

    func send(_ event: ConnectionEvent, of record: PeripheralRecord, _ owner: isolated CentralManager) {
        if case .disconnected(let error) = event { owner.connections.scopes.usersDisconnected(record, error, owner) }
        record.peripheral.tell(event)
        events.push(PeripheralConnectionEvent(peripheral: record.peripheral, event: event))
    }
}
