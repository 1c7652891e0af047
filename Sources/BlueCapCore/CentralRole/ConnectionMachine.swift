// SPDX-License-Identifier: MIT

/// Where the connection to one peripheral stands, what is wanted of it, and the next step from the one to the other.
///
/// A machine is a value: it knows neither the backend nor the time, nor the callers that wait. Each method takes what
/// has happened and returns what is to be done about it, in that order.
///
/// An attempt belongs to all its callers: one that gives up leaves the others' attempt, the last one takes it back.
/// What a ``ReconnectPolicy`` repeats, it repeats for the callers that still wait, and on its own after a loss: callers
/// that join it then and give up leave it as it was.
struct ConnectionMachine: Sendable {
    /// What the machine has to know of the world around it.
    struct Surroundings: Sendable {
        /// How many callers wait for the connection.
        var callers = 0
        var policy = ReconnectPolicy.never
        /// Whether the backend says when a peripheral is there (``CentralFeatures/peripheralPresence``).
        var tellsPresence = false
    }

    private var state = State.idle(.nothing)
    /// What an earlier program had, until its connection stands again or is given up.
    private(set) var restored: Restored?
    /// The timeout of each attempt, as the last caller gave it.
    private(set) var attemptTimeout: Duration?
    /// Counts the beginnings and ends of connections; requests of one never meet answers of another.
    private(set) var generation: UInt64 = 0
    /// How many connections and attempts have ended.
    private(set) var endCount: UInt64 = 0
    /// Attempts in a row that failed, and connections that were lost since the app last asked for one.
    private var count = ReconnectCount()
    /// Whether the policy is making a lost connection anew, for the app and not for single callers.
    private var isRestoring = false

    // MARK: What can be seen

    var link: LinkState { state.link }

    /// Whether the policy is about to connect again.
    var isRetrying: Bool { state.isRetrying }

    /// Whether a connection is tried for, now or later, and there is none.
    var isAway: Bool {
        switch state {
        case .connecting, .idle(.retry), .idle(.radio): true
        case .ending(let ending): ending.retries && !ending.wasConnected
        case .idle(.nothing), .connected: false
        }
    }

    /// Whether the app, or its policy, wants a connection.
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

    /// Whether an earlier program had it, and nothing was done about it yet.
    var isWaitingToBeTakenUp: Bool {
        if case .idle(.retry) = state { return false }
        return link == .idle && restored != nil
    }

    /// Whether the policy waits for a peripheral that is away, which is no attempt that could fail or time out.
    private var isWaitingForReturn: Bool {
        if case .connecting(isAwaited: true) = state { isRestoring } else { false }
    }

    /// Whether an attempt is made to which the peripheral can answer, as far as is known.
    var isTried: Bool {
        if case .connecting(isAwaited: false) = state { true } else { false }
    }

    /// Whether the policy mends a connection that was lost: it waits for the next attempt or the radio, or makes the
    /// attempt.
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

    /// A caller waits from now on, which is among the callers already.
    mutating func joined(_ surroundings: Surroundings) -> [Action] {
        switch state {
        case .idle: [.startCallerTime] + attempt(surroundings)
        case .connecting: [.startCallerTime, .stopAttemptTime]
        case .ending, .connected: [.startCallerTime]
        }
    }

    /// A caller gives up, which is among the callers still: its time is over, or its task was cancelled.
    mutating func left(_ surroundings: Surroundings, isTimeout: Bool) -> [Action] {
        if surroundings.callers > 1 { return [.answerCaller] }
        var actions: [Action] = []
        // A connection that stands, and only is not reported yet, is no attempt that could time out.
        if isTimeout, !isWaitingForReturn, link != .connected {
            let (end, retries) = timeOut(surroundings)
            // The policy goes on for this caller.
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

    /// The app wants whatever there is to end, for good; ``endCount`` counts that end.
    mutating func forceEnd() -> [Action] {
        let isMending = isMending
        var actions = stopRetry()
        count.clearFailures()
        isRestoring = false
        // A link that may still stand is ended once it is taken up.
        restored = link == .idle && restored == .stood ? .unwanted : nil
        actions.append(.answerCallers(.forcedDisconnect))
        // Nobody may have called for what the policy does: only an event says that it is over.
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

    /// Bounds an attempt that no caller's timeout bounds, from now, or from when the peripheral is there.
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

    /// The attempt, or the wait for one, has taken too long: it is taken back, and the policy asked.
    ///
    /// - Returns: What is to be done, and whether the policy makes another attempt.
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

    /// The policy has gone without a connection for as long as it may.
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

    /// Says that the policy is exhausted; says nothing where there was no policy.
    private mutating func giveUp(_ surroundings: Surroundings) -> [Action] {
        count.clearFailures()
        isRestoring = false
        restored = nil
        return surroundings.policy == .never ? [] : [.send(.gaveUp), .endSubscriptions]
    }

    /// Has the next attempt start after the policy's delay.
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

    /// Asks the backend to end what there is; the backend's event confirms it.
    private mutating func end(_ reason: PeripheralError? = nil) -> [Action] {
        switch state {
        case .idle, .ending: return []
        case .connecting: state = .ending(Ending(wasConnected: false))
        case .connected: state = .ending(Ending(wasConnected: true, reason: reason))
        }
        return [.stopAttemptTime, .publish(.disconnecting), .disconnect]
    }

    /// The manager ends a connection that is of no use, as a loss.
    mutating func fail(_ reason: PeripheralError) -> [Action] {
        if case .connected = state { end(reason) } else { [] }
    }

    // MARK: The backend's events

    /// The peripheral was heard.
    mutating func heard(_ surroundings: Surroundings) -> [Action] {
        guard case .connecting(isAwaited: true) = state else { return [] }
        state = .connecting(isAwaited: false)
        return attemptTime(callers: surroundings.callers)
    }

    /// The connection stands. For an attempt that was taken back too late this says nothing: the end that was asked for
    /// follows.
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

    /// The attempt failed, or was taken back.
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

    /// Whether the app has asked for the end of a connection that is on its way down.
    var isEndedByApp: Bool {
        if case .ending(let ending) = state { ending.wasConnected && ending.reason == nil } else { false }
    }

    /// The connection ended.
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

    /// A connection ended that the app did not end.
    private mutating func lost(
        _ error: PeripheralError, isForced: Bool, _ surroundings: Surroundings
    ) -> [Action] {
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

    /// What the app, or the timeout of an attempt, asked to be ended has ended.
    private mutating func finishEnd(_ ending: Ending, _ surroundings: Surroundings) -> [Action] {
        state = .idle(.nothing)
        var actions: [Action] = [.publish(.disconnected)]
        if ending.wasConnected { actions.append(.send(.forcedDisconnect)) }
        actions += ended()
        if ending.retries { return actions + scheduleRetry(surroundings) }
        return surroundings.callers > 0 ? actions + attempt(surroundings) : actions
    }

    // MARK: The radio

    /// The radio went away with whatever there was; no event of the backend follows.
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

    /// The radio is back.
    mutating func radioReturned(_ surroundings: Surroundings) -> [Action] {
        guard case .idle(.radio) = state, restored == nil else { return [] }
        isRestoring = true
        return attempt(surroundings)
    }

    // MARK: Restoration

    /// An earlier program had it.
    mutating func restore(_ restored: Restored, timeout: Duration?) {
        self.restored = restored
        attemptTimeout = timeout
    }

    /// The platform has said whether the connection of an earlier program stands.
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
    /// Where the connection stands, and what else is known of it.
    var description: String {
        var words = ["\(state)"]
        if isRestoring { words.append("restoring") }
        if let restored { words.append("\(restored)") }
        if count.failedAttempts > 0 { words.append("failed \(count.failedAttempts)") }
        if count.losses > 0 { words.append("lost \(count.losses)") }
        return words.joined(separator: " ")
    }
}
