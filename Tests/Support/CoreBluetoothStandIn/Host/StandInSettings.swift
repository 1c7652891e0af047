// SPDX-License-Identifier: MIT

/// The adjustable facts of a ``StandIn``.
public struct StandInSettings: Sendable {
    /// The misbehaviours that are switched on.
    public var faults: Set<StandInFault>
    /// The permission of the app (M3).
    public var authorization: CBManagerAuthorization
    /// Whether the app is in the background (B3).
    public var isInBackground: Bool
    /// How many writes without response a peripheral takes before its queue is full (E5). It drops each further one in
    /// silence, always and not by a fault: a value that no queue has room for cannot be sent later, and no callback of
    /// CoreBluetooth could say so. A larger room is the setting of a phone that drops less.
    public var commandRoom: Int
    /// How many updates of values the transmit queue takes (J1).
    public var updateRoom: Int
    /// Whether the user agrees to pairing, which only the system can begin (F1).
    public var acceptsPairing: Bool
    /// How long it takes to put an advertisement on the air (H4).
    public var startTime: Duration
    /// How many writes a stream of a channel takes before its peer has given credits.
    public var channelRoom: Int
    /// The PSM that the objects of channels have; nil for the true one.
    public var psmOfChannels: UInt16?

    public init(
        faults: Set<StandInFault> = [], authorization: CBManagerAuthorization = .allowedAlways,
        isInBackground: Bool = false, commandRoom: Int = 4, updateRoom: Int = 4, acceptsPairing: Bool = true,
        startTime: Duration = .zero, channelRoom: Int = 4, psmOfChannels: UInt16? = nil
    ) {
        self.faults = faults
        self.authorization = authorization
        self.isInBackground = isInBackground
        self.commandRoom = commandRoom
        self.updateRoom = updateRoom
        self.acceptsPairing = acceptsPairing
        self.startTime = startTime
        self.channelRoom = channelRoom
        self.psmOfChannels = psmOfChannels
    }
}
