// SPDX-License-Identifier: MIT

#if Gateway
/// The numbers of a gateway at one moment.
package struct GatewayNumbers: Hashable, Sendable {
    package var messages = BrokerCounts()
    package var readFrames = 0
    package var unreadFrames = FrameCounts()
    /// How many messages wait for the broker or its answer.
    package var waiting = 0
    /// How many devices are kept.
    package var devices = 0
    package var isRadioOn = false
    package var isBrokerConnected = false
    package var connections = LinkCounts()
    package var links = LinkLevels()
    /// How often the file for the next start could not be opened or written; nil where there is none.
    package var unwrittenStates: Int?

    package init() {}
}

/// The numbers of a gateway at its end.
package struct GatewayEnd: Hashable, Sendable {
    package var numbers = GatewayNumbers()
    /// How many messages the broker did not acknowledge, and no file keeps.
    package var lost = 0
    /// How many messages are in the file for the next start; nil where there is none.
    package var kept: Int?
    /// How many devices gave way to others, as there were too many.
    package var forgotten = 0
    /// How many messages were not of a gateway of the group; nil without a group.
    package var ignored: Int?
    /// Whether a rule connects to devices.
    package var connectsToDevices = false

    package init() {}
}
#endif
