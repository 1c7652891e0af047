// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapDBus

// Connections: the table of links by device. `LinkConnection` follows the state of each.
extension BlueZCentralBackend {
    /// How long BlueZ goes on clearing up after it has said that a link is down.
    ///
    /// It hears of the end twice, from the kernel's management socket and from the link's own. A `Connect` between the
    /// two is closed with the old link, and the device removed.
    private static let clearingTime = Duration.milliseconds(200)

    /// Calls `Connect`; for a device that BlueZ does not know, scans until BlueZ reports it and calls `Connect` then. A
    /// link that is up already, also another program's, is used without a call once its services are resolved.
    public func connect(_ peripheral: PeerIdentifier) {
        if let path = device(of: peripheral) {
            beginLink(peripheral, path)
        } else {
            search.begin(peripheral, self)
        }
    }

    /// Begins to connect to a device that BlueZ knows. After pairing a device may go by two identifiers; its link
    /// belongs to the identifier that came first.
    func beginLink(_ peripheral: PeerIdentifier, _ path: String) {
        if links[path] != nil {
            return later { $0.emit(.connectFailed(peripheral, .backend(Self.connectedAsOther))) }
        }
        let link = links.add(peripheral, path, isConnectedByOther: isUp(path))
        link.database.begin(self)
        link.connection.begin(self)
    }

    private static let connectedAsOther = BackendFailure(
        name: BlueZError.alreadyConnected, message: "the device has a connection under another identifier",
        advice: "after pairing BlueZ knows a device by a second address: use the peripheral that was connected first",
        isTransient: true)

    /// Calls `Disconnect`, which ends the link for every program, or cancels an attempt.
    public func disconnect(_ peripheral: PeerIdentifier) {
        if let link = links.link(to: peripheral) { return link.connection.disconnect(self) }
        if search.end(peripheral, self) { return }
        // It ended at the same moment.
        later { $0.emit(.disconnected(peripheral, nil)) }
    }

    func connectedChanged(_ path: String, _ isConnected: Bool) {
        if !isConnected { letClear(path) }
        links[path]?.connection.connectedChanged(isConnected, self)
    }

    /// Whether `AcquireNotify` may have no answer where the peer refuses to notify, as far as the version shows.
    var leavesRefusedSocketsUnanswered: Bool {
        guard let session, let adapter, let version = session.tree.version(ofAdapter: adapter) else { return true }
        return version < BlueZVersion(5, 84)
    }

    /// Tells BlueZ over which bearer to connect to a device of both radios; whether it agrees does not matter.
    func setBearer(_ bearer: String, of path: String) {
        let body: [DBusValue] = [
            .string(BlueZInterface.device), .string(Device1.bearer.name), .variant(.string(bearer)),
        ]
        session?.call(path, StandardInterface.properties, "Set", body) { _ in }
    }

    /// Keeps attempts off a device whose link has just ended.
    private func letClear(_ path: String) {
        let end = links.beginClearing(path)
        after(Self.clearingTime) { me in
            // It may have been up and down again meanwhile.
            if me.links.endClearing(path, end) { me.links[path]?.connection.begin(me) }
        }
    }
}
#endif
