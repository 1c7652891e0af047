// SPDX-License-Identifier: MIT

/// What a manager does on its own when an attempt to connect fails or a connection is lost.
///
/// An attempt that times out or fails is repeated while no more than `maximumTimeouts` attempts in a row have failed; a
/// connection that is lost is made anew while it was lost no more than `maximumDisconnections` times since the program
/// last called ``Peripheral/connect(timeout:)``. Then `ConnectionEvent.gaveUp` is sent. A forced disconnect is never
/// mended. Each attempt has the timeout of that call.
///
/// To make a lost connection anew, the manager waits for a peripheral that is away, for as long as it is away: that is
/// one attempt, whose timeout begins when the peripheral is there again, so neither an hour out of range nor a night
/// without power uses the policy up. An app that wants to wait for less gives a ``maximumAbsence``. (On a platform that
/// does not report whether a peripheral is there, ``CentralFeatures/peripheralPresence``, the timeout begins with the
/// attempt.) A call of ``Peripheral/connect(timeout:)`` ends at its own timeouts, wherever the peripheral is.
public struct ReconnectPolicy: Sendable, Hashable {
    /// How long to wait before the next attempt.
    public enum Backoff: Sendable, Hashable {
        /// The same time before each.
        case constant(Duration)
        /// Twice as long before each as before the last, up to a maximum.
        case exponential(initial: Duration, maximum: Duration)

        /// The wait before an attempt, counted from 1 since the last success.
        public func delay(beforeAttempt attempt: Int) -> Duration {
            switch self {
            case .constant(let delay): delay
            case .exponential(let initial, let maximum):
                // No time that is waited for comes near a hundred years, which can be doubled thirty times.
                min(min(max(initial, .zero), .longestWait) * (1 << min(max(attempt, 1) - 1, 30)), maximum)
            }
        }
    }

    /// How many attempts in a row may fail or time out; nil for any number.
    public var maximumTimeouts: Int?
    /// How many connections may be lost; nil for any number.
    public var maximumDisconnections: Int?
    /// How long to wait before the next attempt.
    public var backoff: Backoff
    /// How long to go without a connection before giving up; nil, as by default, for as long as it takes.
    ///
    /// The time is that of the manager's clock since the link was lost, or since the first attempt of a connection
    /// began. It goes on over failed attempts, the waits between them and times without the radio, and ends with the
    /// next connection. When it is over, an attempt that is under way is taken back, its callers get
    /// `.connectionTimeout`, and `ConnectionEvent.gaveUp` is sent.
    public var maximumAbsence: Duration?

    /// The manager does not connect again by itself.
    public static let never = Self(maximumTimeouts: 0, maximumDisconnections: 0)

    /// Creates a policy; the default waits 1 s before each attempt.
    ///
    /// - Parameters:
    ///   - maximumTimeouts: How many attempts in a row may fail or time out; nil for any number.
    ///   - maximumDisconnections: How many connections may be lost after a call of ``Peripheral/connect(timeout:)``;
    ///     nil for any number.
    ///   - backoff: How long the manager waits before each attempt.
    ///   - maximumAbsence: How long the manager goes without a connection before it gives up, see ``maximumAbsence``;
    ///     nil for as long as it takes.
    public init(
        maximumTimeouts: Int? = 5, maximumDisconnections: Int? = 5, backoff: Backoff = .constant(.seconds(1)),
        maximumAbsence: Duration? = nil
    ) {
        self.maximumAbsence = maximumAbsence
        self.maximumTimeouts = maximumTimeouts
        self.maximumDisconnections = maximumDisconnections
        self.backoff = backoff
    }
}
