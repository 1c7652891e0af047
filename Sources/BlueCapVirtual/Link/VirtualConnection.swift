// SPDX-License-Identifier: MIT

/// The parameters of connections to a virtual peripheral. A value outside of the specification's limits is brought to
/// the nearest limit.
public struct VirtualConnection: Sendable, Hashable {
    /// The time from one connection event to the next, 7.5 ms to 4 s; packets travel at these events only.
    public var interval: Duration { didSet { interval = Self.intervals.nearest(to: interval) } }
    /// The time without a packet from the other side after which each side takes the connection for lost, 100 ms
    /// to 32 s.
    public var supervisionTimeout: Duration {
        didSet { supervisionTimeout = Self.supervisionTimeouts.nearest(to: supervisionTimeout) }
    }
    /// The longest ATT packet that the peripheral accepts in bytes, 23 to 517. A link uses the lesser of both sides'
    /// numbers.
    public var maximumTransmissionUnit: Int {
        didSet { maximumTransmissionUnit = Self.transmissionUnits.nearest(to: maximumTransmissionUnit) }
    }
    /// The number of packets that each side sends at one connection event, 1 at the least.
    public var packetsPerEvent: Int { didSet { packetsPerEvent = max(packetsPerEvent, 1) } }
    /// The number of centrals that can be connected at the same time, 1 at the least.
    public var maximumConnections: Int { didSet { maximumConnections = max(maximumConnections, 1) } }

    /// The limits of the specification (Core Specification, Vol 6, Part B, 4.5.1 and 4.5.2).
    private static let intervals = Duration.microseconds(7500)...(.seconds(4))
    private static let supervisionTimeouts = Duration.milliseconds(100)...(.seconds(32))
    private static let transmissionUnits = 23...517

    /// Creates connection parameters.
    ///
    /// - Parameters:
    ///   - interval: The time from one connection event to the next, 7.5 ms to 4 s.
    ///   - supervisionTimeout: The time without a packet after which a side takes the connection for lost, 100 ms to
    ///     32 s.
    ///   - maximumTransmissionUnit: The longest ATT packet that the peripheral accepts in bytes, 23 to 517.
    ///   - packetsPerEvent: The number of packets that each side sends at one connection event, 1 at the least.
    ///   - maximumConnections: The number of centrals that can be connected at the same time, 1 at the least.
    public init(
        interval: Duration = .milliseconds(45), supervisionTimeout: Duration = .seconds(4),
        maximumTransmissionUnit: Int = 247, packetsPerEvent: Int = 4, maximumConnections: Int = 1
    ) {
        self.interval = Self.intervals.nearest(to: interval)
        self.supervisionTimeout = Self.supervisionTimeouts.nearest(to: supervisionTimeout)
        self.maximumTransmissionUnit = Self.transmissionUnits.nearest(to: maximumTransmissionUnit)
        self.packetsPerEvent = max(packetsPerEvent, 1)
        self.maximumConnections = max(maximumConnections, 1)
    }
}

extension ClosedRange {
    fileprivate func nearest(to value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
