// SPDX-License-Identifier: MIT

import BlueCapCore

/// A role that runs on an adapter, and notices when the adapter's state changes.
protocol AdapterRole: AnyObject {
    func adapterChanged()
}

/// A program's central role, as its adapter sees it.
protocol AdapterCentral: AdapterRole, Listener {
    /// Whether its program is gone, with links that it left to the adapter.
    var isKilled: Bool { get }
    /// Whether it scans.
    var isScanning: Bool { get }
    /// The peripherals that the role has a link to, reported to its manager or not.
    var linked: Set<PeerIdentifier> { get }
    /// The links that were reported to its manager.
    var openLinks: [VirtualLink] { get }

    /// Hands a link over to the role of another program.
    func giveUp(_ identifier: PeerIdentifier) -> VirtualLink?
    /// The adapter has forgotten a peripheral.
    func forget(_ identifier: PeerIdentifier)
}
