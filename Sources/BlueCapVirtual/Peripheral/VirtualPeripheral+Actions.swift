// SPDX-License-Identifier: MIT

import BlueCapCore

extension VirtualPeripheral {
    // MARK: Advertising

    /// Starts to advertise, with the given packets or, for nil, with those of before.
    public func startAdvertising(_ advertising: VirtualAdvertising? = nil) {
        act { $0.setAdvertising(true, advertising) }
    }

    /// Stops advertising. Links stay.
    public func stopAdvertising() { act { $0.setAdvertising(false, nil) } }

    /// Advertises other packets from the next event on.
    public func changeAdvertisement(to advertising: VirtualAdvertising) {
        act { $0.changeAdvertisement(to: advertising) }
    }

    /// Uses another address from now on, as a peripheral with privacy does: centrals regard it as another peripheral.
    /// Links stay.
    public func changeAddress(to address: String) {
        let identifier = PeerIdentifier(address)
        act { $0.changeAddress(to: identifier) }
    }

    /// Changes the GAP device name, and sends the new name to the connected centrals.
    public func rename(to name: String) { act { $0.rename(to: name) } }

    // MARK: Connections

    /// Ends the connections after everything that is queued on them was sent.
    public func disconnect() { act { $0.disconnect() } }

    /// Refuses new connections, so that a central's attempt fails, or, for false, accepts them again.
    public func refuseConnections(_ refuses: Bool = true) { act { $0.refusesConnections = refuses } }

    /// Changes the longest ATT packet that the peripheral accepts in bytes, on existing links too.
    public func changeMaximumTransmissionUnit(to unit: Int) { act { $0.changeMaximumTransmissionUnit(to: unit) } }

    /// Changes the behaviour when a central wants to encrypt the link.
    public func changePairing(to pairing: VirtualPairing) { act { $0.changePairing(to: pairing) } }

    /// Shows the same passkey with each pairing from now on (``VirtualPairing/showing``), as a device on which it is
    /// printed.
    ///
    /// - Parameter passkey: The six digits, 0 to 999999; nil, and a greater number, for others with each pairing.
    public func changePasskey(to passkey: UInt32?) {
        act { $0.ownPasskey = passkey.flatMap { $0 <= 999_999 ? $0 : nil } }
    }

    /// Types the passkey that a central shows, 0 to 999999, as the peripheral's user: now, or at the next request for
    /// one (``VirtualPairing/typing``).
    public func typePasskey(_ passkey: UInt32) { act { $0.type(passkey) } }

    /// Gives this peripheral and an adapter keys for each other, as if they had paired in an earlier run in the way of
    /// ``pairing``: the digits were compared or typed then, if it has any.
    ///
    /// The adapter knows the peripheral from then on, as it does after a scan.
    ///
    /// - Parameter adapter: An adapter of the radio that this peripheral is on.
    public func bond(with adapter: VirtualAdapter) {
        let node = adapter.node
        act { peripheral in
            node.with { adapter in
                peripheral.ether.bond(adapter.address, peripheral, as: peripheral.identifier, peripheral.usualLevel)
                adapter.learn(peripheral.identifier, name: peripheral.name)
            }
        }
    }

    /// Forgets the keys of all centrals: they have to pair again.
    public func forgetBonds() { act { $0.ether.forgetBonds(of: $0) } }

    // MARK: Services

    /// Replaces the services. Those that stay keep their handles. Connected centrals receive a Service Changed
    /// indication; others learn of the change with their next connection.
    public func changeServices(to services: [VirtualService]) {
        facts.withLock { $0.services = services }
        if let node { node.perform { $0.change(to: services, owner: node) } }
    }
}

extension VirtualPeripheral {
    /// Moves out of range at once: no adapter receives the peripheral any more, and its links end by their supervision
    /// timeouts.
    public func vanish() { act { $0.setVanished(true) } }

    /// Comes back into range after ``vanish()``. A link whose supervision timeout has not passed goes on.
    public func reappear() { act { $0.setVanished(false) } }

    /// Moves nearer or farther.
    public func move(to proximity: VirtualProximity) { act { $0.move(to: proximity) } }

    /// Loses packets with the given probability, 0 to 1. Lost advertisements are gone; on a link packets are repeated,
    /// which takes time, and the link ends if nothing passes for the supervision timeout.
    public func setPacketLoss(_ probability: Double) { act { $0.setPacketLoss(probability) } }

    /// Stops all sending, responses included, although the links stay up: requests time out, and the central's stack
    /// ends the link after 30 seconds. Notifications and indications that the test sends meanwhile wait for
    /// ``unmute()``.
    public func mute() { act { $0.setMute(true) } }

    /// Resumes sending. Notifications and indications that waited since ``mute()`` go out now, in order, over the links
    /// that still stand. Requests that came in between stay unanswered.
    public func unmute() { act { $0.setMute(false) } }

    /// Delays every response by the given time; zero ends the delay.
    public func slow(by delay: Duration) { act { $0.responseDelay = max(delay, .zero) } }

    /// Restarts the peripheral without ending its links: it advertises at once, and the centrals detect by their
    /// supervision timeouts that the links are dead.
    public func reset() { act { $0.restart() } }
}
