// SPDX-License-Identifier: MIT

import BlueCapCore

extension VirtualPeripheral {
    // MARK: Advertising

    /// Begins to advertise; with other packets, if some are given.
    public func startAdvertising(_ advertising: VirtualAdvertising? = nil) {
        act { $0.setAdvertising(true, advertising) }
    }

    /// Stops advertising. Links stay.
    public func stopAdvertising() { act { $0.setAdvertising(false, nil) } }

    /// Advertises other packets from the next event on.
    public func changeAdvertisement(to advertising: VirtualAdvertising) {
        act { $0.changeAdvertisement(to: advertising) }
    }

    /// Uses another address from now on, as a peripheral with privacy does: centrals take it for another peripheral.
    /// Links stay.
    public func changeAddress(to address: String) {
        let identifier = PeerIdentifier(address)
        act { $0.changeAddress(to: identifier) }
    }

    /// Changes its GAP device name, which centrals that are connected are told.
    public func rename(to name: String) { act { $0.rename(to: name) } }

    // MARK: Connections

    /// Ends its connections, after what it has queued was sent.
    public func disconnect() { act { $0.disconnect() } }

    /// Takes no new connection, or takes them again: a central's attempt then fails.
    public func refuseConnections(_ refuses: Bool = true) { act { $0.refusesConnections = refuses } }

    /// Changes the longest ATT packet it takes, on links that exist too.
    public func changeMaximumTransmissionUnit(to unit: Int) { act { $0.changeMaximumTransmissionUnit(to: unit) } }

    /// Changes what it does when a central wants to encrypt the link.
    public func changePairing(to pairing: VirtualPairing) { act { $0.changePairing(to: pairing) } }

    /// Has its user type the passkey that a central shows, 0 to 999999: now, or when it is asked for next
    /// (``VirtualPairing/typing``).
    public func typePasskey(_ passkey: UInt32) { act { $0.type(passkey) } }

    /// Gives this peripheral and an adapter keys for each other, as if they had paired in an earlier run (Just Works).
    ///
    /// The adapter knows the peripheral from then on, as it does after a scan.
    ///
    /// - Parameter adapter: An adapter of the radio that this peripheral is on.
    public func bond(with adapter: VirtualAdapter) {
        let node = adapter.node
        act { peripheral in
            node.with { adapter in
                peripheral.ether.bond(adapter.address, peripheral, as: peripheral.identifier, .encrypted)
                adapter.learn(peripheral.identifier, name: peripheral.name)
            }
        }
    }

    /// Forgets the keys of all centrals: they have to pair again.
    public func forgetBonds() { act { $0.ether.forgetBonds(of: $0) } }

    // MARK: Services

    /// Replaces its services. Those that stay keep their handles; centrals that are connected get a Service Changed
    /// indication, others learn of it with their next connection.
    public func changeServices(to services: [VirtualService]) {
        facts.withLock { $0.services = services }
        if let node { node.perform { $0.change(to: services, owner: node) } }
    }
}
