// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// One connection, or attempt at one: the device, and one collaborator for each concern of it.
///
/// It belongs to its backend alone. A later event from elsewhere, such as a timer, holds its name, which a later link
/// to the same device does not have.
final class BlueZLink {
    /// Names one link in the life of its backend.
    struct Name: Sendable {
        let path: String
        let number: UInt64
    }

    let id: PeerIdentifier
    let name: Name
    var path: String { name.path }
    private let isConnectedByOther: Bool
    private(set) lazy var connection = LinkConnection(self, isConnectedByOther: isConnectedByOther)
    private(set) lazy var database = LinkDatabase(self)
    private(set) lazy var pairing = LinkPairing(self)
    private(set) lazy var values = LinkValues(self)
    private(set) lazy var writers = LinkWriters(self)
    var requests = OpenRequests()

    /// - Parameter isConnectedByOther: Whether the link was up before this program asked for it.
    init(_ id: PeerIdentifier, name: Name, isConnectedByOther: Bool) {
        self.id = id
        self.name = name
        self.isConnectedByOther = isConnectedByOther
    }

    var isConnected: Bool { connection.phase == .connected }

    func closeSockets() {
        values.closeSockets()
        writers.closeSockets()
    }
}
#endif
