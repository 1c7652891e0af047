// SPDX-License-Identifier: MIT

/// How connections to a virtual peripheral behave.
public struct VirtualConnection: Sendable, Hashable {
    /// The time from one connection event to the next; packets travel at these events only.
    public var interval: Duration
    /// How long both sides go without hearing each other before they take the connection for lost.
    public var supervisionTimeout: Duration
    /// The longest ATT packet the peripheral takes, 23 to 517; the link uses the lesser of both sides' numbers.
    public var maximumTransmissionUnit: Int
    /// How many packets each side sends at one connection event.
    public var packetsPerEvent: Int
    /// How many centrals may be connected at the same time.
    public var maximumConnections: Int

    /// A connection with the given parameters, kept within the specification's limits.
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
