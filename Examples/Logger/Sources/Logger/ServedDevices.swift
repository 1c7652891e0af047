// SPDX-License-Identifier: MIT

import BlueCap

/// The devices that have a task.
actor ServedDevices {
    private var identifiers: Set<PeerIdentifier> = []

    /// Returns whether the device had none before.
    func begin(_ identifier: PeerIdentifier) -> Bool { identifiers.insert(identifier).inserted }

    func end(_ identifier: PeerIdentifier) { identifiers.remove(identifier) }
}
