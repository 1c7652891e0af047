// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// A scope that uses the link of a peripheral, maybe beside other scopes, with its history and its next step.
///
/// The machine of the connection has one attempt and one link for all scopes, and no policy while there are scopes.
/// Each scope has its own policy, so each counts, waits and gives up for itself: one policy in the machine would have
/// to be the strictest, which ends the others' attempt, or the most patient, which holds a scope that should end. A
/// scope is therefore a caller of `connect` that calls again. The machine treats it as it treats each caller, and
/// ``ReconnectCount`` decides for both.
struct LinkUser {
    /// The next step of a scope after a loss or a failed attempt.
    enum Step: Sendable {
        /// It connects after a delay, or before where the link stands; nil for when the radio is on again.
        case connect(after: Duration?)
        /// It ends.
        case end(PeripheralError, gaveUp: Bool = false)
    }

    /// Why a scope has to end.
    private enum End: Sendable {
        /// The program has disconnected.
        case forced
        /// There was no connection for as long as the scope's policy goes without one.
        case absence
    }

    /// A scope that waits until its next attempt is due.
    struct Rest {
        /// Ends it; nil where the scope waits for the radio.
        let deadline: DeadlineToken?
        let resume: () -> Void
    }

    let policy: ReconnectPolicy
    var rest: Rest?
    /// Ends the time that the policy goes without a connection.
    var absence: DeadlineToken?
    private(set) var hasConnected = false
    /// Whether it has tried to connect since it began, or since the connection.
    private(set) var hasTried = false
    private var count = ReconnectCount()
    private var end: End?
    /// Why the connection was lost since the last step.
    private var loss: PeripheralError?
    /// Whether the radio went off since the last step.
    private var hasLostRadio = false
    /// Why the last step was taken.
    private var last = PeripheralError.connectionTimeout

    init(policy: ReconnectPolicy) { self.policy = policy }

    /// Whether it may go on.
    var isActive: Bool { end == nil }
    /// Whether the program has disconnected, so that the scope leaves the link as it is.
    var isForced: Bool { end == .forced }

    mutating func tried() { hasTried = true }

    mutating func connected() {
        hasConnected = true
        hasTried = false
        hasLostRadio = false
        count.clearFailures()
    }

    mutating func disconnected(_ error: PeripheralError) { loss = error }
    mutating func radioLost() { hasLostRadio = true }
    mutating func forceEnd() { end = .forced }
    mutating func absenceOver() { end = .absence }

    /// Decides after a loss or a failed attempt.
    ///
    /// - Parameters:
    ///   - failure: Why the attempt has failed; nil after a loss.
    ///   - isRadioOn: Whether the radio is on.
    mutating func next(after failure: PeripheralError?, isRadioOn: Bool) -> Step {
        let reason = failure ?? loss ?? .disconnected
        let isRadio = hasLostRadio || !isRadioOn
        (loss, hasLostRadio) = (nil, false)
        switch end {
        case .forced: return .end(.forcedDisconnect)
        case .absence: return .end(hasConnected ? last : .connectionTimeout, gaveUp: true)
        case nil: last = reason
        }
        if policy == .never { return .end(reason) }
        if isRadio { return hasConnected ? .connect(after: nil) : .end(reason) }
        let goesOn: Bool
        if failure == nil {
            count.connectionLost()
            goesOn = count.allowsReturn(by: policy)
        } else {
            count.attemptFailed()
            goesOn = count.allowsAttempt(by: policy)
        }
        return goesOn ? .connect(after: count.delay(by: policy)) : .end(reason, gaveUp: true)
    }
}
