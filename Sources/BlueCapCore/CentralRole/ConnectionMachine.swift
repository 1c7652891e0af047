// SPDX-License-Identifier: MIT

/// The state machine of the connection to one peripheral: its actual state, its wanted state, and the next step from
/// the first to the second.
///
/// A machine is a value that knows neither the backend, nor the time, nor the waiting callers. Each method takes an
/// event and returns the actions for it, in their order.
///
/// All callers share an attempt: a caller that gives up leaves the attempt to the others, and the last caller that
/// gives up cancels it. A ``ReconnectPolicy`` repeats attempts for the callers that still wait, and on its own after a
/// loss. Callers that join such an attempt after a loss and give up do not end it.
struct ConnectionMachine: Sendable {
    /// The facts outside the machine that its decisions depend on.
    struct Surroundings: Sendable {
        /// The number of callers that wait for the connection.
        var callers = 0
        var policy = ReconnectPolicy.never
        /// A Boolean value that is true if the backend reports the presence of a peripheral
        /// (``CentralFeatures/peripheralPresence``).
        var tellsPresence = false
    }

    private var state = State.idle(.nothing)
    /// The state that an earlier program left, until its connection is established again or given up.
    private(set) var restored: Restored?
    /// The timeout of each attempt, from the last caller.
    private(set) var attemptTimeout: Duration?
    /// The number of beginnings and ends of connections. It keeps answers of one connection from requests of another.
    private(set) var generation: UInt64 = 0
    /// The number of connections and attempts that have ended.
    private(set) var endCount: UInt64 = 0
    /// The number of consecutive failed attempts, and of connections lost since the app last asked for a connection.
    private var count = ReconnectCount()
    /// A Boolean value that is true if the policy is restoring a lost connection for the app, and not for single
    /// callers.
    private var isRestoring = false

    // MARK: State

    var link: LinkState { state.link }

    /// A Boolean value that is true if the policy is about to connect again.
    var isRetrying: Bool { state.isRetrying }

    /// A Boolean value that is true if there is no connection, and an attempt at one is running or planned.
    var isAway: Bool {
        switch state {
        case .connecting, .idle(.retry), .idle(.radio): true
        case .ending(let ending): ending.retries && !ending.wasConnected
        case .idle(.nothing), .connected: false
        }
    }

    /// Returns a Boolean value that is true if the app, or its policy, wants a connection.
    func isWanted(callers: Int, policy: ReconnectPolicy) -> Bool {
        switch state {
        case .connecting, .connected: return true
        case .ending(let ending):
            if ending.isForced { return false }
            if ending.reason != nil { return policy != .never }
        case .idle: break
        }
        return isRetrying || restored == .stood || restored == .attempted || callers > 0
    }

    /// A Boolean value that is true if an earlier program had the connection, and the machine has not taken it up yet.
    var isWaitingToBeTakenUp: Bool {
        if case .idle(.retry) = state { return false }
        return link == .idle && restored != nil
    }

    /// A Boolean value that is true if the policy waits for an absent peripheral. The wait cannot fail or time out as
    /// an attempt can.
    private var isWaitingForReturn: Bool { if case .connecting(isAwaited: true) = state { isRestoring } else { false } }

    /// A Boolean value that is true if an attempt is running and the peripheral, as far as is known, can answer it.
    var isTried: Bool { if case .connecting(isAwaited: false) = state { true } else { false } }

    /// A Boolean value that is true if the policy restores a lost connection: it waits for the next attempt or the
    /// radio, or makes the attempt.
    var isMending: Bool {
        switch state {
        case .idle(.radio): true
        case .idle(.retry), .connecting: isRestoring
        case .ending(let ending): !ending.wasConnected && ending.retries && isRestoring
        case .idle(.nothing), .connected: false
        }
    }

    // MARK: Callers

    /// The app asks for a connection.
    mutating func asked(timeout: Duration?) {
        attemptTimeout = timeout
        count.clearLosses()
        if restored == .unwanted { restored = .stood }
    }

    /// A caller begins to wait; the surroundings already count it.
    mutating func joined(_ surroundings: Surroundings) -> [Action] {
        switch state {
        case .idle: [.startCallerTime] + attempt(surroundings)
        case .connecting: [.startCallerTime, .stopAttemptTime]
        case .ending, .connected: [.startCallerTime]
        }
    }

    /// A caller gives up, because its time is over or its task was cancelled; the surroundings still count it.
    mutating func left(_ surroundings: Surroundings, isTimeout: Bool) -> [Action] {
        if surroundings.callers > 1 { return [.answerCaller] }
        var actions: [Action] = []
        // A connection that is established but not reported yet cannot time out.
        if isTimeout, !isWaitingForReturn, link != .connected {
            let (end, retries) = timeOut(surroundings)
            // The policy continues for this caller.
            if retries { return end }
            actions = end
        }
        actions.append(.answerCaller)
        if isRestoring { return actions + attemptTime(callers: 0) }
        actions += stopRetry()
        count.clearFailures()
        restored = nil
        if case .connecting = state { actions += end() }
        return actions
    }

    /// The app ends the connection or the attempt, without a reconnection; ``endCount`` counts that end.
    mutating func forceEnd() -> [Action] {
        let isMending = isMending
        var actions = stopRetry()
        count.clearFailures()
        isRestoring = false
        // A link of an earlier program that may still exist is ended once it is taken up.
        restored = link == .idle && restored == .stood ? .unwanted : nil
        actions.append(.answerCallers(.forcedDisconnect))
        // The policy may act without a waiting caller, so an event reports the end of its attempts.
        if isMending { actions.append(.send(.forcedDisconnect)) }
        actions += end()
        if case .ending(var ending) = state {
            ending.isForced = true
            state = .ending(ending)
        }
        return actions
    }

    // MARK: Attempts

    /// The next attempt is due.
    mutating func retry(_ surroundings: Surroundings) -> [Action] {
        if case .idle(.retry) = state { attempt(surroundings) } else { [] }
    }

    private mutating func attempt(_ surroundings: Surroundings) -> [Action] {
        let before = stopRetry()
        state = .connecting(isAwaited: surroundings.tellsPresence)
        return before + [.publish(.connecting), .countAttempt, .startCallersTime]
            + attemptTime(callers: surroundings.callers) + [.connect]
    }

    /// Starts the timeout of an attempt without a caller's timeout, now, or when the peripheral is present.
    private func attemptTime(callers: Int) -> [Action] {
        guard case .connecting(isAwaited: false) = state, callers == 0, let attemptTimeout else { return [] }
        return [.stopAttemptTime, .startAttemptTime(attemptTimeout)]
    }

    /// The time of an attempt without callers is over.
    mutating func timedOut(_ surroundings: Surroundings) -> [Action] {
        if case .connecting(isAwaited: false) = state, surroundings.callers == 0 {
            timeOut(surroundings).actions
        } else {
            []
        }
    }

    /// The attempt, or the wait for one, has taken too long. It is cancelled, and the policy decides about another
    /// attempt.
    ///
    /// - Returns: The actions, and a Boolean value that is true if the policy makes another attempt.
    private mutating func timeOut(_ surroundings: Surroundings) -> (actions: [Action], retries: Bool) {
        count.attemptFailed()
        var actions: [Action] = [.countTimeout, .send(.timedOut)]
        if case .connecting = state { actions += end() }
        guard policyRetries(surroundings) else { return (actions + giveUp(surroundings), false) }
        if case .ending(var ending) = state {
            ending.retries = true
            state = .ending(ending)
            return (actions, true)
        }
        return (actions + scheduleRetry(surroundings), true)
    }

    /// The policy's time without a connection is over.
    mutating func absenceOver(_ surroundings: Surroundings) -> [Action] {
        if !isAway || surroundings.policy == .never { return [] }
        var actions = stopRetry()
        if case .connecting = state { actions += end() }
        actions.append(.answerCallers(.connectionTimeout))
        return actions + giveUp(surroundings)
    }

    private func policyRetries(_ surroundings: Surroundings) -> Bool {
        restored != .unwanted && count.allowsAttempt(by: surroundings.policy)
    }

    /// Reports that the policy is exhausted; without a policy there is no report.
    private mutating func giveUp(_ surroundings: Surroundings) -> [Action] {
        count.clearFailures()
        isRestoring = false
        restored = nil
        return surroundings.policy == .never ? [] : [.send(.gaveUp), .endSubscriptions]
    }

    /// Schedules the next attempt after the policy's delay.
    private mutating func scheduleRetry(_ surroundings: Surroundings) -> [Action] {
        let before = stopRetry()
        state = .idle(.retry)
        return before + [.stopCallersTime, .startRetry(after: count.delay(by: surroundings.policy))]
    }

    private mutating func stopRetry() -> [Action] {
        switch state {
        case .idle(.retry):
            state = .idle(.nothing)
            return [.stopRetry]
        case .idle(.radio): state = .idle(.nothing)
        case .ending(var ending):
            ending.retries = false
            state = .ending(ending)
        case .idle(.nothing), .connecting, .connected: break
        }
        return []
    }

    /// Asks the backend to end the connection or the attempt; the backend's event confirms the end.
    private mutating func end(_ reason: PeripheralError? = nil) -> [Action] {
        switch state {
        case .idle, .ending: return []
        case .connecting: state = .ending(Ending(wasConnected: false))
        case .connected: state = .ending(Ending(wasConnected: true, reason: reason))
        }
        return [.stopAttemptTime, .publish(.disconnecting), .disconnect]
    }

    /// The manager ends an unusable connection, which counts as a loss.
    mutating func fail(_ reason: PeripheralError) -> [Action] { if case .connected = state { end(reason) } else { [] } }

    // MARK: The backend's events

    mutating func heard(_ surroundings: Surroundings) -> [Action] {
        guard case .connecting(isAwaited: true) = state else { return [] }
        state = .connecting(isAwaited: false)
        return attemptTime(callers: surroundings.callers)
    }

    /// The connection is established. The event has no effect for an attempt that was cancelled too late: the requested
    /// end follows.
    mutating func connected(maximumTransmissionUnit: Int?) -> [Action] {
        switch state {
        case .connecting: break
        case .idle where restored != nil: break
        case .idle, .connected, .ending: return []
        }
        var actions = stopRetry()
        state = .connected
        generation += 1
        count.clearFailures()
        actions += [.stopAttemptTime, .open(isAgain: isRestoring, maximumTransmissionUnit: maximumTransmissionUnit)]
        isRestoring = false
        switch restored {
        case .unwanted: return actions + forceEnd()
        case .stood, .attempted:
            restored = nil
            return actions + [.takeUp]
        case nil: return actions + [.report]
        }
    }

    /// The attempt failed, or was cancelled.
    mutating func connectFailed(_ failure: OperationFailure, _ surroundings: Surroundings) -> [Action] {
        switch state {
        case .ending(let ending) where !ending.wasConnected: return finishEnd(ending, surroundings)
        case .idle, .connected, .ending: return []
        case .connecting: break
        }
        state = .idle(.nothing)
        count.attemptFailed()
        let error = PeripheralError(failure)
        let actions: [Action] = [.stopAttemptTime, .publish(.disconnected), .send(.disconnected(error))]
        if policyRetries(surroundings) { return actions + scheduleRetry(surroundings) }
        return actions + [.answerCallers(error)] + giveUp(surroundings) + ended()
    }

    /// A Boolean value that is true if the connection is being ended because the app requested it.
    var isEndedByApp: Bool {
        if case .ending(let ending) = state { ending.wasConnected && ending.reason == nil } else { false }
    }

    mutating func disconnected(_ failure: OperationFailure, _ surroundings: Surroundings) -> [Action] {
        switch state {
        case .idle: return []
        case .connecting: return connectFailed(failure, surroundings)
        case .connected: return close(.disconnected) + lost(PeripheralError(failure), isForced: false, surroundings)
        case .ending(let ending):
            if !ending.wasConnected { return finishEnd(ending, surroundings) }
            let actions = close(.disconnected)
            guard let reason = ending.reason else { return actions + finishEnd(ending, surroundings) }
            return actions + lost(reason, isForced: ending.isForced, surroundings)
        }
    }

    private mutating func close(_ reason: OperationFailure) -> [Action] {
        generation += 1
        return [.close(reason)]
    }

    private mutating func ended() -> [Action] {
        endCount += 1
        return [.answerEnders]
    }

    /// A connection ended without a request of the app.
    private mutating func lost(_ error: PeripheralError, isForced: Bool, _ surroundings: Surroundings) -> [Action] {
        state = .idle(.nothing)
        count.connectionLost()
        let actions = [.publish(.disconnected), .countLoss, .send(.disconnected(error))] + ended()
        let isMended = !isForced && surroundings.policy != .never
        isRestoring = isMended && count.allowsReturn(by: surroundings.policy)
        if surroundings.callers > 0 { return actions + attempt(surroundings) }
        if isForced, surroundings.policy != .never { return actions + [.send(.forcedDisconnect)] }
        if !isMended { return actions }
        return actions + (isRestoring ? scheduleRetry(surroundings) : giveUp(surroundings))
    }

    /// The connection or the attempt has ended, as the app or a timeout requested.
    private mutating func finishEnd(_ ending: Ending, _ surroundings: Surroundings) -> [Action] {
        state = .idle(.nothing)
        var actions: [Action] = [.publish(.disconnected)]
        if ending.wasConnected { actions.append(.send(.forcedDisconnect)) }
        actions += ended()
        if ending.retries { return actions + scheduleRetry(surroundings) }
        return surroundings.callers > 0 ? actions + attempt(surroundings) : actions
    }

    // MARK: The radio

    /// The radio was lost, and with it the connection or the attempt; no event of the backend follows.
    mutating func radioLost(_ reason: OperationFailure, _ surroundings: Surroundings) -> [Action] {
        let before = state
        let error = PeripheralError(reason)
        var actions = stopRetry() + [.stopAttemptTime]
        var events: [Action] = []
        var isWantedBack = true
        isRestoring = false
        switch before {
        case .idle(.nothing), .idle(.radio): return actions
        case .idle(.retry), .connecting: break
        case .connected:
            actions += close(reason)
            events = [.countLoss, .send(.disconnected(error))]
        case .ending(let ending):
            isWantedBack = ending.retries || (ending.reason != nil && !ending.isForced)
            if ending.wasConnected {
                actions += close(reason)
                events = [.send(.forcedDisconnect)]
            }
            if let error = ending.reason {
                events = [.countLoss, .send(.disconnected(error))]
                if ending.isForced, surroundings.policy != .never { events.append(.send(.forcedDisconnect)) }
            }
        }
        if restored == .unwanted { isWantedBack = false }
        state = .idle(isWantedBack && surroundings.policy != .never ? .radio : .nothing)
        return actions + [.publish(.disconnected), .answerCallers(error)] + events + ended()
    }

    mutating func radioReturned(_ surroundings: Surroundings) -> [Action] {
        guard case .idle(.radio) = state, restored == nil else { return [] }
        isRestoring = true
        return attempt(surroundings)
    }

    // MARK: Restoration

    /// Records the state of the connection in an earlier program.
    mutating func restore(_ restored: Restored, timeout: Duration?) {
        self.restored = restored
        attemptTimeout = timeout
    }

    /// The platform has reported if the connection of an earlier program is still established.
    mutating func takeUp(stands: Bool, _ surroundings: Surroundings) -> [Action] {
        if !isWaitingToBeTakenUp { return [] }
        if restored == .unwanted, !stands {
            restored = nil
            return []
        }
        let hasPolicy = surroundings.policy != .never
        if stands || hasPolicy || restored == .attempted {
            isRestoring = hasPolicy
            return attempt(surroundings)
        }
        restored = nil
        return [.send(.disconnected(.disconnected))]
    }
}

extension ConnectionMachine: CustomStringConvertible {
    /// The state of the connection and its counters.
    var description: String {
        var words = ["\(state)"]
        if isRestoring { words.append("restoring") }
        if let restored { words.append("\(restored)") }
        if count.failedAttempts > 0 { words.append("failed \(count.failedAttempts)") }
        if count.losses > 0 { words.append("lost \(count.losses)") }
        return words.joined(separator: " ")
    }
}
