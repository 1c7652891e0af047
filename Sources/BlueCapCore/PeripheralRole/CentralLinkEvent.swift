// SPDX-License-Identifier: MIT

/// An event of the link to a central: it was made, changed, ended, or refused.
public struct CentralLinkEvent: Sendable, Hashable, CustomStringConvertible {
    /// The kind of event of a link.
    ///
    /// A minor version may add cases: a `switch` outside the package needs a `default`.
    public enum Kind: Sendable, Hashable {
        /// The central connected.
        case connected
        /// The length of updates to the central, the security of its link or its identifier
        /// (``CentralLinkEvent/previousIdentifier``) changed.
        case changed
        /// The link ended, from whichever side.
        case disconnected(CentralLinkEnd)
        /// The central connected while ``PeripheralManager/Configuration/maximumCentrals`` were connected, and its link
        /// is being ended; no other event of this link follows.
        case refused
    }

    /// The kind of event: the link was made, changed, ended, or refused.
    public let kind: Kind
    /// The central at the other end, as it is known since this event.
    public let central: Central
    /// The identifier by which the central was known before, if this event changed it; else nil. BlueZ tells the
    /// identity address of a bonded central that connected with a private one.
    public let previousIdentifier: PeerIdentifier?

    init(kind: Kind, central: Central, previousIdentifier: PeerIdentifier? = nil) {
        (self.kind, self.central, self.previousIdentifier) = (kind, central, previousIdentifier)
    }

    /// The central and the kind of event.
    public var description: String { "\(central) \(kind)" }
}
