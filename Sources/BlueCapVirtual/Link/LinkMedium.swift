// SPDX-License-Identifier: MIT

import BlueCapCore

/// The medium of links: their time, their numbers, the keys, and the radio's observer.
protocol LinkMedium: AnyObject {
    var timeline: Timeline { get }
    /// Whether the radio has an observer.
    var isObserved: Bool { get }

    /// Reports an event to the observers of the radio. It is made only if there are any.
    func note(_ event: @autoclosure () -> AirEvent)
    func makeLinkNumber() -> UInt64
    /// Six digits for both sides of a pairing.
    func makePasskey() -> UInt32
    /// The security level of the key of an adapter and a peer; nil where they have none.
    func bondLevel(_ adapter: String, _ peer: any LinkPeer) -> SecurityLevel?
    /// Keeps the key of an adapter and a peer, with the name by which the adapter knows the peer.
    func bond(_ adapter: String, _ peer: any LinkPeer, as identifier: PeerIdentifier, _ level: SecurityLevel)
}
