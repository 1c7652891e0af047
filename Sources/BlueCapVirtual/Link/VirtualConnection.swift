// SPDX-License-Identifier: MIT

/// The parameters of connections to a virtual peripheral.
public struct VirtualConnection: Sendable, Hashable {
    /// The time from one connection event to the next; packets travel at these events only.
    public var interval: Duration
    /// The time without a packet from the other side after which each side takes the connection for lost.
    public var supervisionTimeout: Duration
    /// The longest ATT packet that the peripheral accepts in bytes, 23 to 517. A link uses the lesser of both sides'
    /// numbers.
    public var maximumTransmissionUnit: Int
    /// The number of packets that each side sends at one connection event.
    public var packetsPerEvent: Int
    /// The number of centrals that can be connected at the same time.
    public var maximumConnections: Int

    /// Creates connection parameters. Values outside of the specification's limits are brought to the nearest limit.
    ///
    /// - Parameters:
    ///   - interval: The time from one connection event to the next, 7.5 ms at the least.
    ///   - supervisionTimeout: The time without a packet after which a side takes the connection for lost, 100 ms at
    ///     the least.
    ///   - maximumTransmissionUnit: The longest ATT packet that the peripheral accepts in bytes, 23 to 517.
    ///   - packetsPerEvent: The number of packets that each side sends at one connection event, 1 at the least.
    ///   - maximumConnections: The number of centrals that can be connected at the same time, 1 at the least.
    public init(
        interval: Duration = .milliseconds(45), supervisionTimeout: Duration = .seconds(4),
        maximumTransmissionUnit: Int = 247, packetsPerEvent: Int = 4, maximumConnections: Int = 1
    ) {
        self.interval = max(interval, .microseconds(7500))
        self.supervisionTimeout = max(supervisionTimeout, .milliseconds(100))
        self.maximumTransmissionUnit = min(max(maximumTransmissionUnit, 23), 517)
        self.packetsPerEvent = max(packetsPerEvent, 1)
        self.maximumConnections = max(maximumConnections, 1)
    }
}
