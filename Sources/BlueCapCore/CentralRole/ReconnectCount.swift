// SPDX-License-Identifier: MIT

/// The number of failed attempts and lost connections, and their comparison with the limits of a policy.
///
/// The machine of a connection counts for the peripheral's own policy, and each scope for the policy of that scope.
/// This type decides for both.
struct ReconnectCount: Sendable {
    /// The number of consecutive failed attempts.
    private(set) var failedAttempts = 0
    private(set) var losses = 0

    mutating func attemptFailed() { failedAttempts += 1 }
    mutating func connectionLost() { losses += 1 }
    mutating func clearFailures() { failedAttempts = 0 }
    mutating func clearLosses() { losses = 0 }

    /// Returns a Boolean value that is true if a policy makes another attempt after a failed attempt.
    func allowsAttempt(by policy: ReconnectPolicy) -> Bool {
        policy != .never && policy.maximumTimeouts.map { failedAttempts <= $0 } ?? true
    }

    /// Returns a Boolean value that is true if a policy connects again after a loss.
    func allowsReturn(by policy: ReconnectPolicy) -> Bool {
        policy != .never && policy.maximumDisconnections.map { losses <= $0 } ?? true
    }

    /// Returns the time that a policy waits before the next attempt.
    func delay(by policy: ReconnectPolicy) -> Duration { policy.backoff.delay(beforeAttempt: max(failedAttempts, 1)) }
}
