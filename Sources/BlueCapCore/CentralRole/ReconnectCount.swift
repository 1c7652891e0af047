// SPDX-License-Identifier: MIT

/// How often attempts have failed and a connection was lost, against what a policy allows.
///
/// The machine of a connection counts for the peripheral's own policy, each scope for the policy of that scope. The
/// decision is made here for both.
struct ReconnectCount: Sendable {
    /// Attempts in a row that failed.
    private(set) var failedAttempts = 0
    /// Connections that were lost.
    private(set) var losses = 0

    mutating func attemptFailed() { failedAttempts += 1 }
    mutating func connectionLost() { losses += 1 }
    mutating func clearFailures() { failedAttempts = 0 }
    mutating func clearLosses() { losses = 0 }

    /// Whether a policy makes another attempt after one that failed.
    func allowsAttempt(by policy: ReconnectPolicy) -> Bool {
        policy != .never && policy.maximumTimeouts.map { failedAttempts <= $0 } ?? true
    }

    /// Whether a policy connects again after a loss.
    func allowsReturn(by policy: ReconnectPolicy) -> Bool {
        policy != .never && policy.maximumDisconnections.map { losses <= $0 } ?? true
    }

    /// How long a policy waits before the next attempt.
    func delay(by policy: ReconnectPolicy) -> Duration { policy.backoff.delay(beforeAttempt: max(failedAttempts, 1)) }
}
