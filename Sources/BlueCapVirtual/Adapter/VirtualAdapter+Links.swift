// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The links of the programs on an adapter: their parameters, and their faults. Those of a `VirtualPeripheral` are its
/// own.
extension VirtualAdapter {
    // MARK: Parameters

    /// The parameters of connections that centrals make to the adapter's peripheral roles.
    public var connection: VirtualConnection { facts.withLock { $0.conditions.connection } }

    /// The distance from other adapters.
    public var proximity: VirtualProximity { facts.withLock { $0.conditions.proximity } }

    /// Changes the parameters of connections that centrals make to the adapter's peripheral roles. Existing links take
    /// all of them but the interval, which is that of the time when a link was made.
    public func changeConnection(to connection: VirtualConnection) { change { $0.connection = connection } }

    /// Moves nearer to the other adapters, or farther from them. Out of range, the links of centrals to its peripheral
    /// roles end by their supervision timeouts.
    public func move(to proximity: VirtualProximity) { change { $0.proximity = proximity } }

    // MARK: Faults

    /// Moves out of range at once, with all programs on the adapter: nothing is heard on either side any more, and the
    /// links of both roles end by their supervision timeouts.
    public func vanish() { change { $0.isVanished = true } }

    /// Comes back into range after ``vanish()``. A link whose supervision timeout has not passed goes on.
    public func reappear() { change { $0.isVanished = false } }

    /// Loses packets with the given probability, 0 to 1, those of both roles and in both directions. Lost
    /// advertisements are gone; on a link packets are repeated, which takes time, and the link ends if nothing passes
    /// for the supervision timeout.
    public func setPacketLoss(_ probability: Double) { change { $0.packetLoss = min(max(probability, 0), 1) } }

    /// Stops all sending of the adapter's peripheral roles, responses included, although the links stay up: the
    /// requests of centrals time out. Values that a program sends meanwhile wait for ``unmute()``.
    public func mute() { change { $0.isMute = true } }

    /// Resumes the sending of the peripheral roles. Values that waited since ``mute()`` go out now, in order, over the
    /// links that still stand. Requests that came in between stay unanswered.
    public func unmute() { change { $0.isMute = false } }

    /// Delays every response of the adapter's peripheral roles by the given time; zero ends the delay.
    public func slow(by delay: Duration) { change { $0.responseDelay = max(delay, .zero) } }

    /// Refuses the connections of centrals, so that their attempts fail, or, for false, accepts them again.
    public func refuseConnections(_ refuses: Bool = true) { change { $0.refusesConnections = refuses } }

    /// Refuses advertisements from now on, as a controller without a free advertising set does, or, for false, accepts
    /// them again: `PeripheralManager.startAdvertising` throws `.backend`. Those that are on the air stay.
    public func refuseAdvertisements(_ refuses: Bool = true) { change { $0.refusesAdvertisements = refuses } }

    /// Ends the links of centrals to the adapter's peripheral roles, after everything that is queued on them was sent.
    public func disconnectCentrals() { node.perform { $0.server?.disconnectCentrals() } }

    /// Forgets the keys of all centrals: they have to pair again.
    public func forgetBonds() { node.perform { $0.server?.forgetBonds() } }

    private func change(_ change: @escaping @Sendable (inout AdapterConditions) -> Void) {
        node.perform { $0.changeConditions(change) }
    }
}
