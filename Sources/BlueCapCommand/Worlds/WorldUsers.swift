// SPDX-License-Identifier: MIT

import BlueCap

/// The users of the devices in a virtual world: they read a device's display aloud, and type at it.
struct WorldUsers: Sendable {
    let radio: VirtualRadio

    /// The digits that a device shows now.
    func shownPasskey(at peer: PeerIdentifier) -> UInt32? { device(peer)?.shownPasskey }

    /// Types digits at a device that has keys for it.
    func type(_ passkey: UInt32, at peer: PeerIdentifier) {
        guard let device = device(peer), device.pairing == .typing else { return }
        device.typePasskey(passkey)
    }

    private func device(_ peer: PeerIdentifier) -> VirtualPeripheral? {
        radio.peripherals.first { $0.identifier == peer }
    }
}
