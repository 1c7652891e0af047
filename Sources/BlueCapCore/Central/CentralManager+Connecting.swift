// SPDX-License-Identifier: MIT

/// Making, keeping and ending connections.
///
/// An attempt belongs to all its callers: one that gives up leaves the others' attempt, the last one takes it back. What a
/// ``ReconnectPolicy`` repeats, it repeats for the callers that still wait, and on its own after a loss: callers who join it
/// then and give up leave it as it was.
extension CentralManager {
    func connect(_ peripheral: Peripheral, timeout: Duration?) async throws(PeripheralError) {
        let number = makeNumber()
        let start: RadioMeter.Start = meter.begin(clock)
        let result: Result<Void, PeripheralError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Decided in here, without a suspension: the executor may have run something else on the way.
                do throws(PeripheralError) {
                    if Task.isCancelled { throw .cancelled }
                    let waiter = PeripheralRecord.Waiter(timeout: timeout) { continuation.resume(returning: $0) }
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
        meter.end("connect", result.reason, since: start, clock)
        try result.get()
    }

    /// Ends the connection or the attempt, and returns when there is none, or when the task is cancelled.
    func disconnect(_ peripheral: Peripheral) async {
        guard let record = records[peripheral.identifier], record.peripheral === peripheral,
            let count = forceEnd(record)
        else { return }
        let id = peripheral.identifier
        let number = makeNumber()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume() }
                wait(for: record, toEndAfter: count, number, continuation)
            }
        } onCancel: {
            later { $0.records[id]?.endWaiters.removeValue(forKey: number)?.resume() }
        }
    }

    /// Asks for the end of whatever there is, for good.
    ///
    /// - Returns: How many ends there were before the one that was asked for; nil if there is nothing to end.
    func forceEnd(_ record: PeripheralRecord) -> UInt64? {
        cancelRetry(record)
        record.failedAttempts = 0
        record.isRestoring = false
        // A link that may still stand is ended once it is taken up.
        record.restoredLink = record.link == .idle && record.restoredLink == .stood ? .unwanted : nil
        record.isForcedToEnd = record.link != .idle
        failWaiters(record, .forcedDisconnect)
        beginEnd(record)
        return record.link == .idle ? nil : record.endCount
    }

    /// Returns when the connection or the attempt that was being ended is down, and not the next one's; in a cancelled task
    /// too, for what may only happen after it.
    func ended(_ record: PeripheralRecord, after count: UInt64?) async {
        guard let count else { return }
        let number = makeNumber()
        await withCheckedContinuation { wait(for: record, toEndAfter: count, number, $0) }
    }

    private func wait(
        for record: PeripheralRecord, toEndAfter count: UInt64, _ number: UInt64,
        _ continuation: CheckedContinuation<Void, Never>
    ) {
        if record.endCount != count { return continuation.resume() }
        record.endWaiters[number] = continuation
    }

    private func checkRadio() throws(PeripheralError) {
        if isInvalidated { throw .invalidated }
        if state != .poweredOn { throw PeripheralError(radioFailure) }
    }

    // MARK: Callers

    private func isConnected(
        _ peripheral: Peripheral, orAdds waiter: PeripheralRecord.Waiter, _ number: UInt64
    ) throws(PeripheralError) -> Bool {
        let record = try record(of: peripheral)
        try checkRadio()
        record.attemptTimeout = waiter.timeout
        record.losses = 0
        if record.restoredLink == .unwanted { record.restoredLink = .stood }
        wantedChanged()
        if record.link == .connected, record.report == nil { return true }
        addWaiter(waiter, number, to: record)
        return false
    }

    private func addWaiter(_ waiter: PeripheralRecord.Waiter, _ number: UInt64, to record: PeripheralRecord) {
        record.waiters[number] = waiter
        setDeadline(of: number, record)
        switch record.link {
        case .idle: startAttempt(record)
        case .connecting: clearAttemptDeadline(record)
        case .aborting, .disconnecting, .connected: break
        }
    }

    private func setDeadline(of number: UInt64, _ record: PeripheralRecord) {
        guard let waiter = record.waiters[number], waiter.deadline == nil, let timeout = waiter.timeout else { return }
        let id = record.peripheral.identifier
        record.waiters[number]?.deadline = after(timeout) { manager in
            manager.records[id]?.waiters[number]?.deadline = nil
            manager.leave(id, number, .connectionTimeout)
        }
    }

    /// One caller gives up: by timeout or cancellation.
    private func leave(_ id: PeripheralIdentifier, _ number: UInt64, _ error: PeripheralError) {
        guard let record = records[id], record.waiters[number] != nil else { return }
        let isLast = record.waiters.count == 1
        if isLast, error == .connectionTimeout, !record.isWaitingForReturn, attemptTimedOut(record) { return }
        resume(number, of: record, .failure(error))
        guard isLast else { return }
        if record.isRestoring { return armAttemptDeadline(record) }
        cancelRetry(record)
        record.failedAttempts = 0
        record.restoredLink = nil
        if record.link == .connecting { beginEnd(record) }
    }

    private func resume(_ number: UInt64, of record: PeripheralRecord, _ result: Result<Void, PeripheralError>) {
        guard let waiter = record.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(result)
    }

    private func failWaiters(_ record: PeripheralRecord, _ error: PeripheralError) {
        for number in record.waiters.keys.sorted() { resume(number, of: record, .failure(error)) }
    }

    // MARK: Attempts

    /// Asks the backend to connect.
    func startAttempt(_ record: PeripheralRecord) {
        cancelRetry(record)
        guard record.link == .idle else { return }
        record.link = .connecting
        record.isPeripheralAwaited = backend.features.contains(.peripheralPresence)
        publish(.connecting, of: record)
        record.peripheral.facts.withLock { $0.statistics.connectionCount += 1 }
        for number in record.waiters.keys { setDeadline(of: number, record) }
        armAttemptDeadline(record)
        let id = record.peripheral.identifier
        backend.onExecutor { $0.connect(id) }
    }

    /// Bounds an attempt that no caller's timeout bounds, from now, or from when the peripheral is there.
    private func armAttemptDeadline(_ record: PeripheralRecord) {
        guard record.link == .connecting, !record.isPeripheralAwaited, record.waiters.isEmpty,
            let timeout = record.attemptTimeout
        else { return }
        clearAttemptDeadline(record)
        let id = record.peripheral.identifier
        record.attemptDeadline = after(timeout) { manager in
            guard let record = manager.records[id] else { return }
            record.attemptDeadline = nil
            manager.attemptTimedOut(record)
        }
    }

    /// Nobody wants to wait any longer for the attempt that runs: it is taken back, and the policy asked.
    ///
    /// - Returns: Whether the policy makes another.
    @discardableResult
    private func attemptTimedOut(_ record: PeripheralRecord) -> Bool {
        record.failedAttempts += 1
        record.peripheral.facts.withLock { $0.statistics.timeoutCount += 1 }
        send(.timedOut, of: record)
        if record.link == .connecting { beginEnd(record) }
        let retries = policyRetries(record)
        if !retries {
            giveUp(record)
        } else if record.link == .idle {
            scheduleRetry(record)
        } else {
            record.retriesWhenEnded = true
        }
        return retries
    }

    private func policyRetries(_ record: PeripheralRecord) -> Bool {
        let policy = record.peripheral.reconnectPolicy
        return policy != .never && record.restoredLink != .unwanted
            && policy.allows(failedAttempts: record.failedAttempts)
    }

    /// Says that the policy is exhausted; says nothing where there was no policy.
    private func giveUp(_ record: PeripheralRecord) {
        record.failedAttempts = 0
        record.isRestoring = false
        record.restoredLink = nil
        if record.peripheral.reconnectPolicy == .never { return }
        send(.gaveUp, of: record)
        endSubscriptions(of: record, .disconnected)
    }

    /// Starts the next attempt after the policy's delay.
    private func scheduleRetry(_ record: PeripheralRecord) {
        let id = record.peripheral.identifier
        let delay = record.peripheral.reconnectPolicy.backoff.delay(beforeAttempt: max(record.failedAttempts, 1))
        cancelRetry(record)
        for number in record.waiters.keys {
            if let deadline = record.waiters[number]?.deadline { cancelDeadline(deadline) }
            record.waiters[number]?.deadline = nil
        }
        record.retry = after(delay) { manager in
            guard let record = manager.records[id] else { return }
            record.retry = nil
            manager.startAttempt(record)
        }
    }

    private func cancelRetry(_ record: PeripheralRecord) {
        wantedChanged()
        record.reconnectsWhenPoweredOn = false
        record.retriesWhenEnded = false
        guard let retry = record.retry else { return }
        record.retry = nil
        cancelDeadline(retry)
    }

    private func clearAttemptDeadline(_ record: PeripheralRecord) {
        guard let deadline = record.attemptDeadline else { return }
        record.attemptDeadline = nil
        cancelDeadline(deadline)
    }

    /// Asks the backend to end what there is; the backend's event confirms it.
    func beginEnd(_ record: PeripheralRecord) {
        switch record.link {
        case .idle, .aborting, .disconnecting: return
        case .connecting: record.link = .aborting
        case .connected: record.link = .disconnecting
        }
        clearAttemptDeadline(record)
        publish(.disconnecting, of: record)
        let id = record.peripheral.identifier
        backend.onExecutor { $0.disconnect(id) }
    }

    // MARK: The backend's answers

    func peripheralHeard(_ id: PeripheralIdentifier) {
        guard let record = records[id], record.link == .connecting, record.isPeripheralAwaited else { return }
        record.isPeripheralAwaited = false
        armAttemptDeadline(record)
    }

    func connected(_ id: PeripheralIdentifier, _ maximumTransmissionUnit: Int?) {
        // An attempt that was taken back too late: the disconnect that was asked for follows.
        guard let record = records[id],
            record.link == .connecting || (record.link == .idle && record.restoredLink != nil)
        else { return }
        cancelRetry(record)
        record.link = .connected
        record.generation += 1
        record.failedAttempts = 0
        meter.connected(again: record.isRestoring)
        meter.change(.connectedPeripherals, by: 1)
        record.isRestoring = false
        clearAttemptDeadline(record)
        let date = clock.date
        let elapsed = clock.elapsed
        record.peripheral.facts.withLock { facts in
            facts.maximumTransmissionUnit = maximumTransmissionUnit
            facts.connectionBegan(at: elapsed, date: date)
        }
        if record.restoredLink == .unwanted {
            _ = forceEnd(record)
        } else if record.restoredLink != nil {
            takenUp(record)
        } else {
            report(record)
            restoreSubscriptions(of: record)
        }
    }

    /// Tells everybody that a connection stands.
    func report(_ record: PeripheralRecord) {
        publish(.connected, of: record)
        for number in record.waiters.keys.sorted() { resume(number, of: record, .success(())) }
        send(.connected, of: record)
    }

    func connectFailed(_ id: PeripheralIdentifier, _ failure: OperationFailure) {
        guard let record = records[id] else { return }
        switch record.link {
        case .aborting: finishEnd(record)
        case .connecting:
            record.link = .idle
            clearAttemptDeadline(record)
            publish(.disconnected, of: record)
            record.failedAttempts += 1
            send(.disconnected(PeripheralError(failure)), of: record)
            if policyRetries(record) { return scheduleRetry(record) }
            failWaiters(record, PeripheralError(failure))
            giveUp(record)
            resumeEndWaiters(record)
        case .idle, .connected, .disconnecting: break
        }
    }

    func disconnected(_ id: PeripheralIdentifier, _ failure: BackendFailure?) {
        guard let record = records[id] else { return }
        switch record.link {
        case .disconnecting:
            closeLink(record, .disconnected)
            if let reason = record.endReason { lost(record, reason) } else { finishEnd(record) }
        case .aborting: finishEnd(record)
        case .connected:
            closeLink(record, .disconnected)
            lost(record, failure.map { .backend($0) } ?? .disconnected)
        case .connecting: connectFailed(id, failure.map { .backend($0) } ?? .disconnected)
        case .idle: break
        }
    }

    /// A connection ended that the program did not end.
    private func lost(_ record: PeripheralRecord, _ error: PeripheralError) {
        let wasForced = record.isForcedToEnd
        record.link = .idle
        record.endReason = nil
        record.losses += 1
        publish(.disconnected, of: record)
        record.peripheral.facts.withLock { $0.statistics.disconnectionCount += 1 }
        send(.disconnected(error), of: record)
        resumeEndWaiters(record)
        let policy = record.peripheral.reconnectPolicy
        let isMended = !wasForced && policy != .never
        record.isRestoring = isMended && policy.allows(disconnections: record.losses)
        if !record.waiters.isEmpty { return startAttempt(record) }
        if !isMended { return }
        if record.isRestoring { scheduleRetry(record) } else { giveUp(record) }
    }

    /// What the program, or the timeout of an attempt, asked to be ended has ended.
    private func finishEnd(_ record: PeripheralRecord) {
        let wasConnected = record.link == .disconnecting
        let retries = record.retriesWhenEnded
        record.retriesWhenEnded = false
        record.link = .idle
        publish(.disconnected, of: record)
        if wasConnected { send(.forcedDisconnect, of: record) }
        resumeEndWaiters(record)
        if retries {
            scheduleRetry(record)
        } else if !record.waiters.isEmpty {
            startAttempt(record)
        }
    }

    private func resumeEndWaiters(_ record: PeripheralRecord) {
        record.isForcedToEnd = false
        record.endCount += 1
        let waiters = record.endWaiters
        record.endWaiters = [:]
        for number in waiters.keys.sorted() { waiters[number]?.resume() }
    }

    /// The radio went away with whatever link or attempt there was; no event of the backend follows.
    func linkLost(_ record: PeripheralRecord, _ reason: OperationFailure) {
        let link = record.link
        let endReason = record.endReason
        let hadRetry = record.retry != nil || record.retriesWhenEnded
        cancelRetry(record)
        clearAttemptDeadline(record)
        record.isRestoring = false
        if link == .idle, !hadRetry { return }
        if link == .connected || link == .disconnecting { closeLink(record, reason) }
        record.link = .idle
        record.endReason = nil
        publish(.disconnected, of: record)
        failWaiters(record, PeripheralError(reason))
        if link == .connected || endReason != nil {
            record.peripheral.facts.withLock { $0.statistics.disconnectionCount += 1 }
            send(.disconnected(endReason ?? PeripheralError(reason)), of: record)
        } else if link == .disconnecting {
            send(.forcedDisconnect, of: record)
        }
        let wasForced = record.isForcedToEnd
        resumeEndWaiters(record)
        let isWanted = link == .connected || link == .connecting || hadRetry || (endReason != nil && !wasForced)
        record.reconnectsWhenPoweredOn = isWanted && record.peripheral.reconnectPolicy != .never
    }

    /// Ends everything that lived on a connection.
    private func closeLink(_ record: PeripheralRecord, _ reason: OperationFailure) {
        meter.change(.connectedPeripherals, by: -1)
        let date = clock.date
        let elapsed = clock.elapsed
        // The state first: whoever waits for what ends below may look at it.
        record.peripheral.facts.withLock { facts in
            facts.state = .disconnected
            facts.connectionEnded(at: elapsed, date: date)
        }
        if let report = record.report {
            cancelDeadline(report)
            record.report = nil
        }
        suspendSubscriptions(of: record, reason)
        endRSSIPolls(of: record.peripheral.identifier)
        record.forgetAttributes()
        record.generation += 1
        if !suspendedRules.contains(.drainAtDisconnect) { drain(record.peripheral.identifier, .failed(reason)) }
    }

    private func publish(_ state: PeripheralState, of record: PeripheralRecord) {
        record.peripheral.facts.withLock { $0.state = state }
        wantedChanged()
    }

    func send(_ event: ConnectionEvent, of record: PeripheralRecord) {
        record.peripheral.connectionCaster.push(event)
        connectionCaster.push(PeripheralConnectionEvent(peripheral: record.peripheral, event: event))
    }
}
