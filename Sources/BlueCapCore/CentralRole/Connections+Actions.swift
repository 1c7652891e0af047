// SPDX-License-Identifier: MIT

/// Carries out the actions that the machines of the connections ask for.
extension Connections {
    /// Returns the facts outside the machine of a connection on which its next actions depend.
    func surroundings(of record: PeripheralRecord, _ owner: isolated CentralManager) -> ConnectionMachine.Surroundings {
        .init(
            callers: record.waiters.count, policy: record.policy,
            tellsPresence: owner.backend.features.contains(.peripheralPresence))
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
        error: PeripheralError = .cancelled, _ owner: isolated CentralManager
    ) {
        if actions.isEmpty { return }
        owner.wantedChanged()
        for action in actions { carryOut(action, for: record, caller, error, owner) }
        timeAbsence(of: record, owner)
        if record.isForgettable, actions.endAttempt { controlPoints.endRequestsWithoutLink(of: record, owner) }
    }

    private func carryOut(
        _ action: ConnectionMachine.Action, for record: PeripheralRecord, _ caller: UInt64?, _ error: PeripheralError,
        _ owner: isolated CentralManager
    ) {
        let id = record.peripheral.identifier
        switch action {
        case .connect: owner.backend.onExecutor { $0.connect(id) }
        case .disconnect: owner.backend.onExecutor { $0.disconnect(id) }
        case .publish(let state): record.peripheral.facts.withLock { $0.state = state }
        case .send(let event): send(event, of: record, owner)
        case .countAttempt: record.peripheral.facts.withLock { $0.statistics.attemptCount += 1 }
        case .countTimeout: record.peripheral.facts.withLock { $0.statistics.timeoutCount += 1 }
        case .countLoss: record.peripheral.facts.withLock { $0.statistics.disconnectionCount += 1 }
        case .startCallerTime: if let caller { startTime(of: caller, record, owner) }
        case .startCallersTime: startCallersTime(record, owner)
        case .stopCallersTime: stopCallersTime(record, owner)
        case .answerCaller: if let caller { answer(caller, of: record, .failure(error), owner) }
        case .answerCallers(let error): answerCallers(of: record, .failure(error), owner)
        case .answerEnders: answerEnders(of: record, owner)
        case .startAttemptTime(let timeout):
            record.times.attemptDeadline = owner.after(timeout) { attemptTimedOut(id, $0) }
        case .stopAttemptTime: clear(&record.times.attemptDeadline, owner)
        case .startRetry(let delay): record.times.retry = owner.after(delay) { retryDue(id, $0) }
        case .stopRetry: clear(&record.times.retry, owner)
        case .open(let isAgain, let maximumTransmissionUnit): open(record, isAgain, maximumTransmissionUnit, owner)
        case .close(let reason): close(record, reason, owner)
        case .report:
            report(record, owner)
            subscriptions.restoreSubscriptions(of: record, owner)
        case .takeUp: owner.takenUp(record)
        case .endSubscriptions: subscriptions.endSubscriptions(of: record, .disconnected, owner)
        }
    }

    // MARK: Times

    /// Begins the times of the callers that are not running.
    func startCallersTime(_ record: PeripheralRecord, _ owner: isolated CentralManager) {
        for number in record.waiters.keys { startTime(of: number, record, owner) }
    }

    private func startTime(of number: UInt64, _ record: PeripheralRecord, _ owner: isolated CentralManager) {
        guard let waiter = record.waiters[number], waiter.deadline == nil, let timeout = waiter.timeout else { return }
        if record.isReturn(waiter.user), !record.connection.isTried { return }
        let id = record.peripheral.identifier
        record.waiters[number]?.deadline = owner.after(timeout) { manager in
            manager.book.known(id)?.waiters[number]?.deadline = nil
            leave(id, number, .connectionTimeout, manager)
        }
    }

    private func stopCallersTime(_ record: PeripheralRecord, _ owner: isolated CentralManager) {
        for number in record.waiters.keys {
            if let deadline = record.waiters[number]?.deadline { owner.cancelDeadline(deadline) }
            record.waiters[number]?.deadline = nil
        }
    }

    private func attemptTimedOut(_ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        record.times.attemptDeadline = nil
        carryOut(record.connection.timedOut(surroundings(of: record, owner)), for: record, owner)
    }

    private func retryDue(_ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id) else { return }
        record.times.retry = nil
        carryOut(record.connection.retry(surroundings(of: record, owner)), for: record, owner)
    }

    /// The policy of an absent peripheral may have another longest absence now.
    func maximumAbsenceChanged(of id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id), record.times.absence != nil else { return }
        if let deadline = record.times.absence?.deadline { owner.cancelDeadline(deadline) }
        record.times.absence?.deadline = nil
        timeAbsence(of: record, owner)
    }

    /// Begins and ends the time that the policy goes without a connection.
    private func timeAbsence(of record: PeripheralRecord, _ owner: isolated CentralManager) {
        guard record.connection.isAway else {
            guard let absence = record.times.absence else { return }
            if let deadline = absence.deadline { owner.cancelDeadline(deadline) }
            return record.times.absence = nil
        }
        let start = record.times.absence?.start ?? owner.clock.elapsed
        if record.times.absence == nil { record.times.absence = .init(start: start) }
        guard record.times.absence?.deadline == nil, let maximum = record.policy.maximumAbsence else { return }
        let id = record.peripheral.identifier
        record.times.absence?.deadline = owner.after(start + min(maximum, .longestWait) - owner.clock.elapsed) {
            absenceOver(id, $0)
        }
    }

    private func absenceOver(_ id: PeerIdentifier, _ owner: isolated CentralManager) {
        guard let record = owner.book.known(id), let absence = record.times.absence else { return }
        record.times.absence?.deadline = nil
        // The app may have changed the policy meanwhile.
        guard let maximum = record.policy.maximumAbsence else { return }
        if owner.clock.elapsed - absence.start < maximum { return timeAbsence(of: record, owner) }
        carryOut(record.connection.absenceOver(surroundings(of: record, owner)), for: record, owner)
    }

    private func clear(_ deadline: inout CentralManager.Deadlines.Token?, _ owner: isolated CentralManager) {
        guard let token = deadline else { return }
        deadline = nil
        owner.cancelDeadline(token)
    }

    // MARK: Answers

    private func answer(
        _ number: UInt64, of record: PeripheralRecord, _ result: Result<Void, PeripheralError>,
        _ owner: isolated CentralManager
    ) {
        guard let waiter = record.waiters.removeValue(forKey: number) else { return }
        if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
        waiter.resume(result)
    }

    private func answerCallers(
        of record: PeripheralRecord, _ result: Result<Void, PeripheralError>, _ owner: isolated CentralManager
    ) {
        for number in record.waiters.keys.sorted() { answer(number, of: record, result, owner) }
    }

    private func answerEnders(of record: PeripheralRecord, _ owner: isolated CentralManager) {
        let waiters = record.endWaiters
        record.endWaiters = [:]
        for number in waiters.keys.sorted() {
            guard let waiter = waiters[number] else { continue }
            if let deadline = waiter.deadline { owner.cancelDeadline(deadline) }
            waiter.resume(true)
        }
    }

    // MARK: The connection

    private func open(
        _ record: PeripheralRecord, _ isAgain: Bool, _ maximumTransmissionUnit: Int?, _ owner: isolated CentralManager
    ) {
        owner.meter.connected(again: isAgain || record.users.values.contains(where: \.hasConnected))
        owner.meter.change(.connectedPeripherals, by: 1)
        let date = owner.clock.date
        let elapsed = owner.clock.elapsed
        record.peripheral.facts.withLock { facts in
            facts.maximumTransmissionUnit = maximumTransmissionUnit
            facts.connectionBegan(at: elapsed, date: date)
        }
    }

    /// Says that a connection stands, to the app and to all callers.
    func report(_ record: PeripheralRecord, _ owner: isolated CentralManager) {
        record.peripheral.facts.withLock { $0.state = .connected }
        scopes.usersConnected(record, owner)
        answerCallers(of: record, .success(()), owner)
        send(.connected, of: record, owner)
    }

    private func close(_ record: PeripheralRecord, _ reason: OperationFailure, _ owner: isolated CentralManager) {
        owner.meter.change(.connectedPeripherals, by: -1)
        let date = owner.clock.date
        let elapsed = owner.clock.elapsed
        // The state changes first: the callers whose waits end below may read it.
        record.peripheral.facts.withLock { facts in
            facts.state = .disconnected
            facts.connectionEnded(at: elapsed, date: date)
        }
        clear(&record.times.report, owner)
        subscriptions.suspendSubscriptions(of: record, reason, owner)
        polls.endAll(of: record.peripheral.identifier, owner)
        record.forgetAttributes()
        #if DEBUG
        if owner.requests.suspendedRules.contains(.drainAtDisconnect) { return }
        #endif
        owner.requests.drain(record.peripheral.identifier, .failed(reason), owner)
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
