// SPDX-License-Identifier: MIT

package import BlueCapCore

/// An event of a proxy, for its log.
package enum ProxyEvent: Hashable, Sendable {
    /// A client said hello, with its words for itself.
    case joined(String)
    /// A client has left, or its connection has ended.
    case left(String)
    /// The proxy ended a connection. The client may be without words.
    case refused(String?, ProxyFault)
    case linked(PeerIdentifier)
    case unlinked(PeerIdentifier)
    case radioLost(ManagerState)
    case radioReturned

    /// Whether it is about the radio, which other parts of the program may have, too.
    package var isOfRadio: Bool {
        switch self {
        case .radioLost, .radioReturned: true
        default: false
        }
    }
}
