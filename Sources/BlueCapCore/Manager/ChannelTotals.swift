// SPDX-License-Identifier: MIT

/// The counts of all channels of a manager since it was created.
public struct ChannelTotals: Sendable, Hashable {
    /// The number of channels that are open.
    public internal(set) var openCount = 0
    /// The number of channels that were opened, by either side.
    public internal(set) var openedCount = 0
    /// The number of channels that peers refused to this side.
    public internal(set) var refusedCount = 0
    /// The number of channels that ended because their link, their radio or the manager did.
    public internal(set) var lostCount = 0
    /// The number of channels that ended because the peer broke a rule, or because the platform failed.
    public internal(set) var failedCount = 0
    /// The units and bytes of all channels together.
    public internal(set) var units = ChannelStatistics()
    /// The number of units that arrived and were still to be taken when their ``Channel`` was released. Those that
    /// arrive after a ``Channel/close()`` are in `unclaimedCount` of the manager.
    public internal(set) var droppedUnitCount = 0
}
