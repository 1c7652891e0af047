// SPDX-License-Identifier: MIT

/// The timing of a connection, which ``Peripheral/setConnectionParameters(_:)`` asks for.
///
/// The values hold to the bounds of the Core Specification (Vol 6, Part B, 4.5.1 and 4.5.2), in its units.
public struct ConnectionParameters: Sendable, Hashable, CustomStringConvertible {
    /// The time at which parameters take effect.
    public enum Effect: Sendable, Hashable, CaseIterable {
        /// The present connection is changed, which takes some connection events, and later ones begin so.
        case now
        /// The next connection to the peripheral begins so; the present one stays as it is.
        case nextConnection
    }

    /// The bounds of the specification.
    private static let intervals = Duration.microseconds(7500)...(.seconds(4))
    private static let latencies = 0...499
    private static let timeouts = Duration.milliseconds(100)...(.seconds(32))

    /// The shortest and the longest time from one connection event to the next, in whole units of 1.25 ms.
    public let interval: ClosedRange<Duration>
    /// The number of connection events that the peripheral may leave out.
    public let latency: Int
    /// The time without a packet after which each side takes the connection for lost, in whole units of 10 ms.
    public let supervisionTimeout: Duration

    /// Creates parameters that a controller can take.
    ///
    /// - Parameters:
    ///   - interval: The times from one connection event to the next from which the controller chooses, 7.5 ms to 4 s.
    ///     The range is narrowed to whole units of 1.25 ms.
    ///   - latency: The number of connection events that the peripheral may leave out, 0 to 499.
    ///   - supervisionTimeout: The time without a packet after which each side takes the connection for lost, 100 ms to
    ///     32 s, and more than twice the longest interval for each event that is left out and one more. It is rounded
    ///     up to whole units of 10 ms.
    /// - Throws: The first bound that a value breaks.
    public init(
        interval: ClosedRange<Duration>, latency: Int = 0, supervisionTimeout: Duration = .seconds(4)
    ) throws(ConnectionParametersError) {
        guard Self.intervals.contains(interval.lowerBound), Self.intervals.contains(interval.upperBound) else {
            throw .intervalOutOfRange
        }
        guard Self.latencies.contains(latency) else { throw .latencyOutOfRange }
        guard Self.timeouts.contains(supervisionTimeout) else { throw .supervisionTimeoutOutOfRange }
        let shortest = interval.lowerBound.units(of: .microseconds(1250), isRoundedUp: true)
        let longest = interval.upperBound.units(of: .microseconds(1250), isRoundedUp: false)
        guard shortest <= longest else { throw .noWholeInterval }
        let timeout = supervisionTimeout.units(of: .milliseconds(10), isRoundedUp: true)
        let least = Duration.microseconds(2 * 1250 * longest * (latency + 1))
        guard .milliseconds(10 * timeout) > least else { throw .supervisionTimeoutTooShort(bound: least) }
        self.interval = .microseconds(1250 * shortest)...(.microseconds(1250 * longest))
        self.latency = latency
        self.supervisionTimeout = .milliseconds(10 * timeout)
    }

    /// The shortest and the longest interval in units of 1.25 ms.
    package var intervalUnits: ClosedRange<UInt16> {
        func units(_ time: Duration) -> UInt16 {
            UInt16(clamping: time.units(of: .microseconds(1250), isRoundedUp: false))
        }
        return units(interval.lowerBound)...units(interval.upperBound)
    }

    /// The supervision timeout in units of 10 ms.
    package var supervisionTimeoutUnits: UInt16 {
        UInt16(clamping: supervisionTimeout.units(of: .milliseconds(10), isRoundedUp: false))
    }

    /// The values with their units.
    public var description: String {
        "interval \(interval.lowerBound) to \(interval.upperBound), latency \(latency), "
            + "supervision timeout \(supervisionTimeout)"
    }
}

extension Duration {
    fileprivate func units(of unit: Duration, isRoundedUp: Bool) -> Int {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: unit.attoseconds)
        return Int(clamping: whole) + (isRoundedUp && rest > 0 ? 1 : 0)
    }
}
