// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A unit that the firmware of a twin sends over each channel on a PSM.
public struct TwinUnit: Sendable, Hashable {
    /// The number of units that the central has to send over the channel before, 0 or more.
    public var received: Int
    /// The time for which the firmware waits then: from the newest of these units, the unit before this one, or the
    /// opening of the channel, whichever comes last.
    public var after: Duration
    /// The unit in bytes.
    public var value: Bytes

    /// Creates a unit.
    ///
    /// - Parameters:
    ///   - received: The number of units that the central has to send before; a negative one counts as 0.
    ///   - after: The time for which the firmware waits then.
    ///   - value: The unit in bytes.
    public init(received: Int = 0, after: Duration = .zero, value: Bytes) {
        self.received = max(received, 0)
        self.after = after
        self.value = value
    }
}
