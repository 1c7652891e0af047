// SPDX-License-Identifier: MIT

/// An actor whose backend asks about pairing.
protocol PairingOwner: RadioActor {
    nonisolated var pairing: PairingDesk<Self> { get }
    /// The backend, which asks.
    nonisolated var pairingBackend: any PairingBackend { get }
    var isInvalidated: Bool { get }

    /// The app did not want to pair.
    func pairingRejected(_ peer: PeerIdentifier)
}
