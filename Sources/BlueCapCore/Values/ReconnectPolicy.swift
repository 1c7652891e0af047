// SPDX-License-Identifier: MIT

/// The rules by which a manager connects again when an attempt to connect fails or a connection is lost.
///
/// An attempt that times out or fails is repeated while no more than `maximumTimeouts` attempts in a row have failed; a
/// lost connection is established again while it was lost no more than `maximumDisconnections` times since the program
/// last called ``Peripheral/connect(timeout:)``. Then `ConnectionEvent.gaveUp` is sent. The manager never connects
/// again after a forced disconnect. Each attempt has the timeout of that call.
///
/// To establish a lost connection again, the manager waits for an absent peripheral without a limit of time. The wait
/// is one attempt, whose timeout begins when the peripheral is present again, so neither an hour out of range nor a
/// night without power exhausts the policy. An app that needs a limit sets ``maximumAbsence``. (On a platform that does
/// not report the presence of a peripheral, ``CentralFeatures/peripheralPresence``, the timeout begins with the
/// attempt.) A call of ``Peripheral/connect(timeout:)`` ends at its own timeouts, even if the peripheral is absent.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The time to wait before the next attempt.
    public enum Backoff: Sendable, Hashable {
        /// The same time before each attempt.
        case constant(Duration)
        /// A time that doubles with each attempt, up to a maximum.
        case exponential(initial: Duration, maximum: Duration)

        /// Returns the time to wait before an attempt; attempts are counted from 1 since the last success.
        public func delay(beforeAttempt attempt: Int) -> Duration {
            switch self {
            case .constant(let delay): delay
            case .exponential(let initial, let maximum):
                // A practical wait is far below a hundred years, and a hundred years can be doubled thirty times
                // without overflow.
                min(min(max(initial, .zero), .longestWait) * (1 << min(max(attempt, 1) - 1, 30)), maximum)
            }
        }
    }

    /// The number of consecutive attempts that may fail or time out; nil for any number.
    public var maximumTimeouts: Int?
    /// The number of connections that may be lost; nil for any number.
    public var maximumDisconnections: Int?
    /// The time to wait before the next attempt.
    public var backoff: Backoff
    /// The time without a connection after which the manager gives up; nil, the default, for no limit.
    ///
    /// The time is that of the manager's clock since the link was lost, or since the first attempt of a connection
    /// began. It includes failed attempts, the waits between them and periods without the radio, and ends with the next
    /// connection. When it is over, a running attempt is cancelled, its callers receive `.connectionTimeout`, and
    /// `ConnectionEvent.gaveUp` is sent. For a scope of ``Peripheral/stayConnected(_:timeout:discovering:_:)`` whose
    /// task had no turn since the loss, so that it has not tried yet, the time begins again with its next attempt.
    public var maximumAbsence: Duration?

    /// The manager does not connect again by itself.
    public static let never = Self(maximumTimeouts: 0, maximumDisconnections: 0)

    /// The manager connects again however often an attempt fails or the connection is lost, 1 s before each attempt.
    public static let forever = Self(maximumTimeouts: nil, maximumDisconnections: nil)

    /// Creates a policy; the default waits 1 s before each attempt.
    ///
    /// - Parameters:
    ///   - maximumTimeouts: The number of consecutive attempts that may fail or time out; nil for any number.
    ///   - maximumDisconnections: The number of connections that may be lost after a call of
    ///     ``Peripheral/connect(timeout:)``; nil for any number.
    ///   - backoff: The time that the manager waits before each attempt.
    ///   - maximumAbsence: The time without a connection after which the manager gives up, see ``maximumAbsence``; nil
    ///     for no limit.
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
