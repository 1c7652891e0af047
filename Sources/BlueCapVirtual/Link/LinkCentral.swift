// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The central's side of a link: a program's central role, on an adapter.
protocol LinkCentral: AnyObject {
    /// The adapter's address.
    var address: String { get }
    /// The longest ATT packet that the adapter's stack takes.
    var maximumTransmissionUnit: Int { get }
    /// The questions of pairing to its app.
    var pairing: PairingQuestions { get }

    /// The part of a peer's database that the adapter has found.
    func view(of identifier: PeerIdentifier, version: Int) -> DatabaseView
    func received(_ value: Bytes, of handle: UInt16, on link: VirtualLink)
    func servicesChanged(_ services: [UInt16], on link: VirtualLink)
    func renamed(_ link: VirtualLink)
    func maximumTransmissionUnitChanged(_ link: VirtualLink)
    func bondChanged(_ identifier: PeerIdentifier, _ isBonded: Bool)
    /// Called by a link that has ended.
    func linkEnded(_ link: VirtualLink, _ reason: LinkEndReason)
}
