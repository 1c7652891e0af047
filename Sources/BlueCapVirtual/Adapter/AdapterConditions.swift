// SPDX-License-Identifier: MIT

import BlueCapCore

/// The parameters of the links of an adapter, and everything that is wrong with it.
struct AdapterConditions {
    /// The parameters of links that centrals make to the adapter's peripheral roles.
    var connection: VirtualConnection
    /// The distance from the other adapters.
    var proximity: VirtualProximity
    /// Whether it is out of reach of everything.
    var isVanished = false
    /// The probability with which chance takes a packet.
    var packetLoss = 0.0
    /// Whether its peripheral roles send nothing.
    var isMute = false
    /// The time that its peripheral roles take to answer.
    var responseDelay = Duration.zero
    var refusesConnections = false
    var refusesAdvertisements = false

    /// Whether any packet passes between it and others.
    var isInReach: Bool { !isVanished && packetLoss < 1 }
}

/// The visible state of a virtual adapter, readable from anywhere.
struct AdapterFacts {
    var state: ManagerState
    var conditions: AdapterConditions

    init(_ configuration: VirtualAdapter.Configuration) {
        state = configuration.state
        conditions = AdapterConditions(connection: configuration.connection, proximity: configuration.proximity)
    }
}
