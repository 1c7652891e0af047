// SPDX-License-Identifier: MIT

/// Making and ending connections: the app's calls and the backend's events go to the machine of the connection.
extension CentralManager {
    /// Waits for a connection, for a call by hand or for a scope.
    func connect(
        _ peripheral: Peripheral, timeout: Duration?, for user: UInt64? = nil
    ) async throws(PeripheralError) {
        let number = makeNumber()
        let start: RadioMeter.Start = meter.begin(clock)
        let result: Result<Void, PeripheralError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Decided in here, without a suspension: the executor may have run something else on the way.
                do throws(PeripheralError) {
                    if Task.isCancelled { throw .cancelled }
                    let waiter = PeripheralRecord.Waiter(timeout: timeout, user: user) {
                        continuation.resume(returning: $0)
                    }
                    if try isConnected(peripheral, orAdds: waiter, number) {
                        continuation.resume(returning: .success(()))
                    }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            later { $0.leave(peripheral.identifier, number, .cancelled) }
        }
        meter.end("connect", MeteredOutcome(result), since: start, clock)
        try result.get()
    }

    /// Ends the connection or the attempt, and returns when there is none, or when the task is cancelled.
    func disconnect(_ peripheral: Peripheral, timeout: Duration?) async -> Bool {
        guard let record = book.known(peripheral),
            let count = forceEnd(record)
        else { return true }
        return await end(of: record, after: count, timeout)
    }

    /// Returns when the connection or the attempt that was being ended is down; false when that takes longer, or when
    /// the task is cancelled.
    func end(of record: PeripheralRecord, after count: UInt64, _ timeout: Duration?) async -> Bool {
        let id = record.peripheral.identifier
        let number = makeNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: false) }
                wait(for: record, toEndAfter: count, number, timeout) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            later { $0.stopWaiting(number, forEndOf: id) }
        }
    }

    /// Asks for the end of whatever there is, for good.
    ///
    /// - Returns: How many ends there were before the one that was asked for; nil if there is nothing to end.
    func forceEnd(_ record: PeripheralRecord) -> UInt64? {
        let needsEvent = endUsers(of: record) && !record.connection.isMending
        endLink(of: record)
        if needsEvent { send(.forcedDisconnect, of: record) }
        return record.link == .idle ? nil : record.connection.endCount
    }

    /// Ends the link, the attempt, and the requests that wait for the next link, as none is about to be made.
    func endLink(of record: PeripheralRecord) {
        carryOut(record.connection.forceEnd(), for: record)
        if record.isForgettable { endRequestsWithoutLink(of: record) }
    }

    /// Returns when the connection or the attempt that was being ended is down, without waiting for the end of the next
    /// connection. A cancelled task waits too, since the caller's next step may only follow this end.
    ///
    /// - Parameters:
    ///   - record: The record with the connection.
    ///   - count: How many ends there were before; nil if there is nothing to wait for.
    ///   - end: When to stop waiting, on the manager's clock; nil for never.
    /// - Returns: Whether it is down.
    func ended(_ record: PeripheralRecord, after count: UInt64?, until end: Duration?) async -> Bool {
        guard let count else { return true }
        let number = makeNumber()
        let timeout = end.map { $0 - clock.elapsed }
        return await withCheckedContinuation { continuation in
            wait(for: record, toEndAfter: count, number, timeout) { continuation.resume(returning: $0) }
        }
    }

    private func wait(
        for record: PeripheralRecord, toEndAfter count: UInt64, _ number: UInt64, _ timeout: Duration?,
        _ resume: @escaping (Bool) -> Void
    ) {
        if record.connection.endCount != count { return resume(true) }
        if isClosed { return resume(false) }
        let id = record.peripheral.identifier
        let deadline = timeout.map { timeout in after(timeout) { $0.stopWaiting(number, forEndOf: id) } }
        record.endWaiters[number] = .init(deadline: deadline, resume: resume)
    }

    private func stopWaiting(_ number: UInt64, forEndOf id: PeerIdentifier) {
        guard let waiter = book.known(id)?.endWaiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(false)
    }

    /// Tells those who wait for the end of a connection that it was not down in time.
    func giveUpWaiting(forEndOf record: PeripheralRecord) {
        for number in record.endWaiters.keys.sorted() { stopWaiting(number, forEndOf: record.peripheral.identifier) }
    }

    private func checkRadio() throws(PeripheralError) {
        if isInvalidated { throw .invalidated }
        if state != .poweredOn { throw PeripheralError(radio.reason) }
    }

    // MARK: Callers

    private func isConnected(
        _ peripheral: Peripheral, orAdds waiter: PeripheralRecord.Waiter, _ number: UInt64
    ) throws(PeripheralError) -> Bool {
        let record = try book.record(of: peripheral, self)
        try checkRadio()
        if let user = waiter.user, record.users[user]?.isActive != true { throw .forcedDisconnect }
        record.connection.asked(timeout: waiter.timeout)
        wantedChanged()
        if record.link == .connected, record.report == nil {
            if let user = waiter.user { record.users[user]?.connected() }
            return true
        }
        record.waiters[number] = waiter
        carryOut(record.connection.joined(surroundings(of: record)), for: record, caller: number)
        return false
    }

    /// One caller gives up: by timeout or cancellation.
    func leave(_ id: PeerIdentifier, _ number: UInt64, _ error: PeripheralError) {
        guard let record = book.known(id), record.waiters[number] != nil else { return }
        let actions = record.connection.left(surroundings(of: record), isTimeout: error == .connectionTimeout)
        carryOut(actions, for: record, caller: number, error)
    }

    // MARK: The backend's events

    func peripheralHeard(_ id: PeerIdentifier) {
        guard let record = book.known(id) else { return }
        carryOut(record.connection.heard(surroundings(of: record)), for: record)
        if record.connection.isTried { startCallersTime(record) }
    }

    func connected(_ id: PeerIdentifier, _ maximumTransmissionUnit: Int?) {
        guard let record = book.known(id) else { return }
        carryOut(record.connection.connected(maximumTransmissionUnit: maximumTransmissionUnit), for: record)
    }

    func connectFailed(_ id: PeerIdentifier, _ failure: OperationFailure) {
        guard let record = book.known(id) else { return }
        carryOut(record.connection.connectFailed(failure, surroundings(of: record)), for: record)
    }

    func disconnected(_ id: PeerIdentifier, _ failure: BackendFailure?) {
        guard let record = book.known(id) else { return }
        let (isGoodbye, isEndedByApp) = (failure?.isGoodbye ?? false, record.connection.isEndedByApp)
        let failure = failure.map { OperationFailure.backend($0) } ?? .disconnected
        // The requests that the end of the connection ends have not failed then.
        record.endsInOrder = isGoodbye || isEndedByApp
        carryOut(record.connection.disconnected(failure, surroundings(of: record)), for: record)
        record.endsInOrder = false
    }
}
