// SPDX-License-Identifier: MIT

/// Carries out the actions that the machines of the connections ask for.
extension CentralManager {
    /// Returns the facts outside the machine of a connection on which its next actions depend.
    func surroundings(of record: PeripheralRecord) -> ConnectionMachine.Surroundings {
        .init(
            callers: record.waiters.count, policy: record.policy,
            tellsPresence: backend.features.contains(.peripheralPresence))
    }

    /// Carries actions out, one after the other.
    ///
    /// - Parameters:
    ///   - actions: The actions that the machine has returned.
    ///   - record: The record with that machine.
    ///   - caller: The caller that has joined or is giving up; nil after any other event.
    ///   - error: Why the caller is giving up.
    func carryOut(
        _ actions: [ConnectionMachine.Action], for record: PeripheralRecord, caller: UInt64? = nil,
        _ error: PeripheralError = .cancelled
    ) {
        if actions.isEmpty { return }
        wantedChanged()
        for action in actions { carryOut(action, for: record, caller, error) }
        timeAbsence(of: record)
        if record.isForgettable, actions.endAttempt { endRequestsWithoutLink(of: record) }
    }

    private func carryOut(
        _ action: ConnectionMachine.Action, for record: PeripheralRecord, _ caller: UInt64?, _ error: PeripheralError
    ) {
        let id = record.peripheral.identifier
        switch action {
        case .connect: backend.onExecutor { $0.connect(id) }
        case .disconnect: backend.onExecutor { $0.disconnect(id) }
        case .publish(let state): record.peripheral.facts.withLock { $0.state = state }
        case .send(let event): send(event, of: record)
        case .countAttempt: record.peripheral.facts.withLock { $0.statistics.attemptCount += 1 }
        case .countTimeout: record.peripheral.facts.withLock { $0.statistics.timeoutCount += 1 }
        case .countLoss: record.peripheral.facts.withLock { $0.statistics.disconnectionCount += 1 }
        case .startCallerTime: if let caller { startTime(of: caller, record) }
        case .startCallersTime: startCallersTime(record)
        case .stopCallersTime: stopCallersTime(record)
        case .answerCaller: if let caller { answer(caller, of: record, .failure(error)) }
        case .answerCallers(let error): answerCallers(of: record, .failure(error))
        case .answerEnders: answerEnders(of: record)
        case .startAttemptTime(let timeout): record.attemptDeadline = after(timeout) { $0.attemptTimedOut(id) }
        case .stopAttemptTime: clear(&record.attemptDeadline)
        case .startRetry(let delay): record.retry = after(delay) { $0.retryDue(id) }
        case .stopRetry: clear(&record.retry)
        case .open(let isAgain, let maximumTransmissionUnit): open(record, isAgain, maximumTransmissionUnit)
        case .close(let reason): close(record, reason)
        case .report:
            report(record)
            restoreSubscriptions(of: record)
        case .takeUp: takenUp(record)
        case .endSubscriptions: endSubscriptions(of: record, .disconnected)
        }
    }

    // MARK: Times

    /// Begins the times of the callers that are not running.
    func startCallersTime(_ record: PeripheralRecord) {
        for number in record.waiters.keys { startTime(of: number, record) }
    }

    private func startTime(of number: UInt64, _ record: PeripheralRecord) {
        guard let waiter = record.waiters[number], waiter.deadline == nil, let timeout = waiter.timeout else { return }
        if record.isReturn(waiter.user), !record.connection.isTried { return }
        let id = record.peripheral.identifier
        record.waiters[number]?.deadline = after(timeout) { manager in
            manager.book.known(id)?.waiters[number]?.deadline = nil
            manager.leave(id, number, .connectionTimeout)
        }
    }

    private func stopCallersTime(_ record: PeripheralRecord) {
        for number in record.waiters.keys {
            if let deadline = record.waiters[number]?.deadline { cancelDeadline(deadline) }
            record.waiters[number]?.deadline = nil
        }
    }

    private func attemptTimedOut(_ id: PeerIdentifier) {
        guard let record = book.known(id) else { return }
        record.attemptDeadline = nil
        carryOut(record.connection.timedOut(surroundings(of: record)), for: record)
    }

    private func retryDue(_ id: PeerIdentifier) {
        guard let record = book.known(id) else { return }
        record.retry = nil
        carryOut(record.connection.retry(surroundings(of: record)), for: record)
    }

    /// Begins and ends the time that the policy goes without a connection.
    private func timeAbsence(of record: PeripheralRecord) {
        guard record.connection.isAway else {
            guard let absence = record.absence else { return }
            if let deadline = absence.deadline { cancelDeadline(deadline) }
            return record.absence = nil
        }
        let start = record.absence?.start ?? clock.elapsed
        if record.absence == nil { record.absence = .init(start: start) }
        guard record.absence?.deadline == nil, let maximum = record.policy.maximumAbsence else {
            return
        }
        let id = record.peripheral.identifier
        record.absence?.deadline = after(start + min(maximum, .longestWait) - clock.elapsed) { $0.absenceOver(id) }
    }

    private func absenceOver(_ id: PeerIdentifier) {
        guard let record = book.known(id), let absence = record.absence else { return }
        record.absence?.deadline = nil
        // The app may have changed the policy meanwhile.
        guard let maximum = record.policy.maximumAbsence else { return }
        if clock.elapsed - absence.start < maximum { return timeAbsence(of: record) }
        carryOut(record.connection.absenceOver(surroundings(of: record)), for: record)
    }

    private func clear(_ deadline: inout Deadlines.Token?) {
        guard let token = deadline else { return }
        deadline = nil
        cancelDeadline(token)
    }

    // MARK: Answers

    private func answer(_ number: UInt64, of record: PeripheralRecord, _ result: Result<Void, PeripheralError>) {
        guard let waiter = record.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { cancelDeadline(deadline) }
        waiter.resume(result)
    }

    private func answerCallers(of record: PeripheralRecord, _ result: Result<Void, PeripheralError>) {
        for number in record.waiters.keys.sorted() { answer(number, of: record, result) }
    }

    private func answerEnders(of record: PeripheralRecord) {
        let waiters = record.endWaiters
        record.endWaiters = [:]
        for number in waiters.keys.sorted() {
            guard let waiter = waiters[number] else { continue }
            if let deadline = waiter.deadline { cancelDeadline(deadline) }
            waiter.resume(true)
        }
    }

    // MARK: The connection

    private func open(_ record: PeripheralRecord, _ isAgain: Bool, _ maximumTransmissionUnit: Int?) {
        meter.connected(again: isAgain || record.users.values.contains(where: \.hasConnected))
        meter.change(.connectedPeripherals, by: 1)
        let date = clock.date
        let elapsed = clock.elapsed
        record.peripheral.facts.withLock { facts in
            facts.maximumTransmissionUnit = maximumTransmissionUnit
            facts.connectionBegan(at: elapsed, date: date)
        }
    }

    /// Says that a connection stands, to the app and to all callers.
    func report(_ record: PeripheralRecord) {
        record.peripheral.facts.withLock { $0.state = .connected }
        usersConnected(record)
        answerCallers(of: record, .success(()))
        send(.connected, of: record)
    }

    private func close(_ record: PeripheralRecord, _ reason: OperationFailure) {
        meter.change(.connectedPeripherals, by: -1)
        let date = clock.date
        let elapsed = clock.elapsed
        // The state changes first: the callers whose waits end below may read it.
        record.peripheral.facts.withLock { facts in
            facts.state = .disconnected
            facts.connectionEnded(at: elapsed, date: date)
        }
        clear(&record.report)
        suspendSubscriptions(of: record, reason)
        polls.endAll(of: record.peripheral.identifier, self)
        record.forgetAttributes()
        if suspendedRules.contains(.drainAtDisconnect) { return }
        requests.drain(record.peripheral.identifier, .failed(reason), self)
    }

    func send(_ event: ConnectionEvent, of record: PeripheralRecord) {
        if case .disconnected(let error) = event { usersDisconnected(record, error) }
        record.peripheral.tell(event)
        connectionCaster.push(PeripheralConnectionEvent(peripheral: record.peripheral, event: event))
    }
}

extension [ConnectionMachine.Action] {
    /// Whether they end an attempt at a connection, or the wait for one, and no connection: over the next link after a
    /// loss go the requests to control points that were made for that.
    fileprivate var endAttempt: Bool {
        let endConnection = contains { if case .close = $0 { true } else { false } }
        return !endConnection && (contains(.publish(.disconnected)) || contains(.stopRetry))
    }
}
