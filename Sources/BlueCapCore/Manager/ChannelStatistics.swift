// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The counts of a channel since it was opened.
public struct ChannelStatistics: Sendable, Hashable {
    /// The number of units that went out whole.
    public var sentUnitCount = 0
    /// The number of bytes of those units.
    public var sentByteCount = 0
    /// The number of units that arrived whole, taken or not.
    public var receivedUnitCount = 0
    /// The number of bytes of those units.
    public var receivedByteCount = 0

    /// Creates counts of zero.
    public init() {}

    mutating func count(_ unit: Bytes, _ direction: ChannelMeter.Direction) {
        switch direction {
        case .sent:
            sentUnitCount += 1
            sentByteCount += unit.count
        case .received:
            receivedUnitCount += 1
            receivedByteCount += unit.count
        }
    }
}
