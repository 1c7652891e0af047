// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The connection to one peripheral: the app's calls and the backend's events go to its machine, whose actions are
/// carried out here.
///
/// Touched on the manager only.
final class LinkConnection {
    /// The times that run for a connection; a deadline is nil while its time does not run.
    private struct Times {
        /// Ends an attempt that the policy makes without a caller.
        var attemptDeadline: DeadlineToken?
        /// Starts the policy's next attempt.
        var retry: DeadlineToken?
        /// Reports a restored connection at the latest, while its subscriptions are made.
        var report: DeadlineToken?
        /// How long there has been no connection, while one is tried for.
        var absence: Absence?
    }

    /// A time in which a connection is tried for and there is none.
    private struct Absence {
        /// When it began, on the manager's clock.
        let start: Duration
        /// Ends it; nil where the policy sets no bound.
        var deadline: DeadlineToken?
    }

    /// How long a restored connection is kept from the app while its subscriptions are made.
    private static let subscribingTime = Duration.seconds(5)

    private unowned let record: PeripheralRecord
    /// The actual and the wanted state.
    private(set) var machine = ConnectionMachine()
    private let callers = ConnectionCallers()
    private var times = Times()
    /// Whether the connection has just ended by the wish of the app or of the peer, and its requests are being ended.
    private var endsInOrder = false

    init(of record: PeripheralRecord) { self.record = record }

    private var id: PeerIdentifier { record.peripheral.identifier }

    /// Whether there is no connection, and none is about to be made, but for scopes.
    var isIdle: Bool { machine.link == .idle && callers.count == 0 && !machine.isRetrying && machine.restored == nil }
    /// Whether a connection stands and is kept from the app while its subscriptions are made.
    var isUnreported: Bool { times.report != nil }
    /// Whether requests that end with the connection have not failed.
    var endsRequestsInOrder: Bool { endsInOrder || machine.isEndedByApp }
    var hasCallers: Bool { callers.count > 0 }
    var callerCount: Int { callers.count }
    /// How many callers wait for the end.
    var endCallerCount: Int { callers.endCount }

    /// The policy by which the machine goes: the peripheral's, and none while scopes have theirs.
    private var policy: ReconnectPolicy { record.scopes.areActive ? .never : record.peripheral.reconnectPolicy }

    /// The facts outside the machine on which its next actions depend.
    private func surroundings(_ owner: isolated some CentralOwner) -> ConnectionMachine.Surroundings {
        .init(
            callers: callers.count, policy: policy,
            tellsPresence: owner.backend.features.contains(.peripheralPresence))
    }

    // MARK: Callers

    /// A caller wants the connection.
    ///
    /// - Returns: Whether it stands; if not, the caller waits from now on.
    func join(
        _ waiter: ConnectionCallers.Waiter, _ number: UInt64, _ owner: isolated some CentralOwner
    ) throws(PeripheralError) -> Bool {
        if let user = waiter.user, !record.scopes.isActive(user) { throw .forcedDisconnect }
        machine.asked(timeout: waiter.timeout)
        owner.restorationChanged()
        if machine.link == .connected, times.report == nil {
            if let user = waiter.user { record.scopes.connected(user) }
            return true
        }
        callers.add(waiter, number)
        if let user = waiter.user { record.scopes.attemptBegins(of: user, owner) }
        carryOut(machine.joined(surroundings(owner)), caller: number, owner)
        return false
    }

    /// One caller gives up: by timeout or cancellation.
    func leave(_ number: UInt64, _ error: PeripheralError, _ owner: isolated some CentralOwner) {
        if callers[number] == nil { return }
        let actions = machine.left(surroundings(owner), isTimeout: error == .connectionTimeout)
        carryOut(actions, caller: number, error: error, owner)
    }

    /// The callers of a scope give up.
    func leave(user: UInt64, _ owner: isolated some CentralOwner) {
        for number in callers.numbers(of: user) { leave(number, .cancelled, owner) }
    }

    /// The time of a caller is over.
    func timeout(of number: UInt64, _ owner: isolated some CentralOwner) {
        callers.timePassed(number)
        leave(number, .connectionTimeout, owner)
    }

    // MARK: The end

    /// Asks for the end of whatever there is, for good.
    ///
    /// - Returns: How many ends there were before the one that was asked for; nil if there is nothing to end.
    func forceEnd(_ owner: isolated some CentralOwner) -> UInt64? {
        let needsEvent = record.scopes.forceEnd(owner) && !machine.isMending
        end(owner)
        if needsEvent { owner.connections.send(.forcedDisconnect, of: record, owner) }
        return machine.link == .idle ? nil : machine.endCount
    }

    /// Ends the link, the attempt, and the requests that wait for the next link, as none is about to be made.
    func end(_ owner: isolated some CentralOwner) {
        carryOut(machine.forceEnd(), owner)
        if record.isForgettable { record.subscriptions.endRequestsWithoutLink(owner) }
    }

    /// The manager ends an unusable connection, which counts as a loss.
    func fail(_ reason: PeripheralError, _ owner: isolated some CentralOwner) { carryOut(machine.fail(reason), owner) }

    /// Calls `resume` once, when the connection or the attempt that was being ended is down, or when that takes longer.
    ///
    /// - Parameters:
    ///   - count: How many ends there were before.
    ///   - number: The number of the caller.
    ///   - timeout: How long it waits; nil for as long as it takes.
    ///   - owner: The manager.
    ///   - resume: Takes whether the connection is down.
    func waitForEnd(
        after count: UInt64, _ number: UInt64, _ timeout: Duration?, _ owner: isolated some CentralOwner,
        resume: @escaping (Bool) -> Void
    ) {
        if machine.endCount != count { return resume(true) }
        if owner.isClosed { return resume(false) }
        callers.add(number, with: id, timeout: timeout, owner, resume: resume)
    }

    func stopWaitingForEnd(_ number: UInt64, _ owner: isolated some CentralOwner) { callers.giveUpEnd(number, owner) }

    /// Answers those who wait for the end that the connection was not down in time.
    func giveUpWaitingForEnd(_ owner: isolated some CentralOwner) { callers.giveUpEnds(owner) }

    // MARK: The backend's events

    func heard(_ owner: isolated some CentralOwner) {
        carryOut(machine.heard(surroundings(owner)), owner)
        if machine.isTried { startCallersTime(owner) }
    }

    func connected(_ maximumTransmissionUnit: Int?, _ owner: isolated some CentralOwner) {
        carryOut(machine.connected(maximumTransmissionUnit: maximumTransmissionUnit), owner)
    }

    func failed(_ failure: OperationFailure, _ owner: isolated some CentralOwner) {
        carryOut(machine.connectFailed(failure, surroundings(owner)), owner)
    }

    func disconnected(_ failure: BackendFailure?, _ owner: isolated some CentralOwner) {
        let (isGoodbye, isEndedByApp) = (failure?.isGoodbye ?? false, machine.isEndedByApp)
        let failure = failure.map { OperationFailure.backend($0) } ?? .disconnected
        // The requests that the end of the connection ends have not failed then.
        endsInOrder = isGoodbye || isEndedByApp
        carryOut(machine.disconnected(failure, surroundings(owner)), owner)
        endsInOrder = false
    }

    func radioLost(_ reason: OperationFailure, _ owner: isolated some CentralOwner) {
        record.scopes.radioLost()
        carryOut(machine.radioLost(reason, surroundings(owner)), owner)
    }

    func radioReturned(_ owner: isolated some CentralOwner) {
        record.scopes.radioReturned(owner)
        carryOut(machine.radioReturned(surroundings(owner)), owner)
    }

    // MARK: Restoration

    /// Records the state of the connection in an earlier program.
    func restore(_ restored: ConnectionMachine.Restored, timeout: Duration?) {
        machine.restore(restored, timeout: timeout)
    }

    /// The platform has reported if the connection of an earlier program is still established.
    func takeUp(stands: Bool, _ owner: isolated some CentralOwner) {
        carryOut(machine.takeUp(stands: stands, surroundings(owner)), owner)
    }

    /// A restored connection stands: its subscriptions are made before it is reported.
    private func takenUp(_ owner: isolated some CentralOwner) {
        times.report = owner.after(Self.subscribingTime, with: id) { $1.connection.subscribingTimePassed($0) }
        record.subscriptions.restore(over: record, owner)
        reportIfSubscribed(owner)
    }

    private func subscribingTimePassed(_ owner: isolated some CentralOwner) {
        guard times.report != nil, machine.link == .connected else { return }
        times.report = nil
        report(owner)
    }

    /// Reports a restored connection when its subscriptions are there, unless it is being ended by then.
    func reportIfSubscribed(_ owner: isolated some CentralOwner) {
        guard let deadline = times.report, machine.link == .connected, record.subscriptions.areOn else { return }
        owner.cancelDeadline(deadline)
        times.report = nil
        report(owner)
    }

    // MARK: Actions

    /// Carries actions out, one after the other.
    ///
    /// - Parameters:
    ///   - actions: The actions that the machine has returned.
    ///   - caller: The caller that has joined or is giving up; nil after any other event.
    ///   - error: Why the caller is giving up.
    ///   - owner: The manager.
    private func carryOut(
        _ actions: [ConnectionMachine.Action], caller: UInt64? = nil, error: PeripheralError = .cancelled,
        _ owner: isolated some CentralOwner
    ) {
        if actions.isEmpty { return }
        owner.restorationChanged()
        for action in actions { carryOut(action, caller, error, owner) }
        timeAbsence(owner)
        if record.isForgettable, actions.endAttempt { record.subscriptions.endRequestsWithoutLink(owner) }
    }

    private func carryOut(
        _ action: ConnectionMachine.Action, _ caller: UInt64?, _ error: PeripheralError,
        _ owner: isolated some CentralOwner
    ) {
        let (peripheral, id) = (record.peripheral, id)
        switch action {
        case .connect: owner.backend.onExecutor { $0.connect(id) }
        case .disconnect: owner.backend.onExecutor { $0.disconnect(id) }
        case .publish(let state): peripheral.facts.withLock { $0.state = state }
        case .send(let event): owner.connections.send(event, of: record, owner)
        case .countAttempt: peripheral.facts.withLock { $0.statistics.attemptCount += 1 }
        case .countTimeout: peripheral.facts.withLock { $0.statistics.timeoutCount += 1 }
        case .countLoss: peripheral.facts.withLock { $0.statistics.disconnectionCount += 1 }
        case .startCallerTime: if let caller { startTime(of: caller, owner) }
        case .startCallersTime: startCallersTime(owner)
        case .stopCallersTime: callers.stopTimes(owner)
        case .answerCaller: if let caller { callers.answer(caller, .failure(error), owner) }
        case .answerCallers(let error): callers.answerAll(.failure(error), owner)
        case .answerEnders: callers.answerEnds(owner)
        case .startAttemptTime(let timeout):
            times.attemptDeadline = owner.after(timeout, with: id) { $1.connection.attemptTimedOut($0) }
        case .stopAttemptTime: clear(&times.attemptDeadline, owner)
        case .startRetry(let delay): times.retry = owner.after(delay, with: id) { $1.connection.retryDue($0) }
        case .stopRetry: clear(&times.retry, owner)
        case .open(let isAgain, let maximumTransmissionUnit): open(isAgain, maximumTransmissionUnit, owner)
        case .close(let reason): close(reason, owner)
        case .report:
            report(owner)
            record.subscriptions.restore(over: record, owner)
        case .takeUp: takenUp(owner)
        case .endSubscriptions: record.subscriptions.endAll(.disconnected, owner)
        }
    }

    private func open(_ isAgain: Bool, _ maximumTransmissionUnit: Int?, _ owner: isolated some CentralOwner) {
        owner.meter.connected(again: isAgain || record.scopes.haveConnected)
        owner.meter.change(.connectedPeripherals, by: 1)
        let date = owner.clock.date
        let elapsed = owner.clock.elapsed
        record.peripheral.facts.withLock { facts in
            facts.maximumTransmissionUnit = maximumTransmissionUnit
            facts.connectionBegan(at: elapsed, date: date)
        }
    }

    /// Says that a connection stands, to the app and to all callers.
    private func report(_ owner: isolated some CentralOwner) {
        record.peripheral.facts.withLock { $0.state = .connected }
        record.scopes.connected(owner)
        callers.answerAll(.success(()), owner)
        owner.connections.send(.connected, of: record, owner)
    }

    private func close(_ reason: OperationFailure, _ owner: isolated some CentralOwner) {
        owner.meter.change(.connectedPeripherals, by: -1)
        let date = owner.clock.date
        let elapsed = owner.clock.elapsed
        // The state changes first: the callers whose waits end below may read it.
        record.peripheral.facts.withLock { facts in
            facts.state = .disconnected
            facts.connectionEnded(at: elapsed, date: date)
        }
        clear(&times.report, owner)
        record.subscriptions.suspend(reason, owner)
        owner.connections.polls.endAll(of: id, owner)
        record.database.forget()
        owner.requests.drain(id, .failed(reason), owner)
    }

    // MARK: Times

    /// Begins the times of the callers that are not running.
    private func startCallersTime(_ owner: isolated some CentralOwner) {
        for number in callers.numbers() { startTime(of: number, owner) }
    }

    private func startTime(of number: UInt64, _ owner: isolated some CentralOwner) {
        if record.scopes.isReturn(callers[number]?.user), !machine.isTried { return }
        callers.startTime(of: number, with: id, owner)
    }

    private func attemptTimedOut(_ owner: isolated some CentralOwner) {
        times.attemptDeadline = nil
        carryOut(machine.timedOut(surroundings(owner)), owner)
    }

    private func retryDue(_ owner: isolated some CentralOwner) {
        times.retry = nil
        carryOut(machine.retry(surroundings(owner)), owner)
    }

    /// The policy of an absent peripheral may have another longest absence now.
    func maximumAbsenceChanged(_ owner: isolated some CentralOwner) {
        guard let absence = times.absence else { return }
        if let deadline = absence.deadline { owner.cancelDeadline(deadline) }
        times.absence?.deadline = nil
        timeAbsence(owner)
    }

    /// Begins and ends the time that the policy goes without a connection.
    private func timeAbsence(_ owner: isolated some CentralOwner) {
        guard machine.isAway else {
            guard let absence = times.absence else { return }
            if let deadline = absence.deadline { owner.cancelDeadline(deadline) }
            return times.absence = nil
        }
        let start = times.absence?.start ?? owner.clock.elapsed
        if times.absence == nil { times.absence = .init(start: start) }
        guard times.absence?.deadline == nil, let maximum = policy.maximumAbsence else { return }
        let delay = start + min(maximum, .longestWait) - owner.clock.elapsed
        times.absence?.deadline = owner.after(delay, with: id) { $1.connection.absenceOver($0) }
    }

    private func absenceOver(_ owner: isolated some CentralOwner) {
        guard let absence = times.absence else { return }
        times.absence?.deadline = nil
        // The app may have changed the policy meanwhile.
        guard let maximum = policy.maximumAbsence else { return }
        if owner.clock.elapsed - absence.start < maximum { return timeAbsence(owner) }
        carryOut(machine.absenceOver(surroundings(owner)), owner)
    }

    private func clear(_ deadline: inout DeadlineToken?, _ owner: isolated some CentralOwner) {
        guard let token = deadline else { return }
        deadline = nil
        owner.cancelDeadline(token)
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
