// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The links of a backend by their devices, and the ends of links that BlueZ is still clearing up. Loop only.
final class LinkTable {
    private var links: [String: BlueZLink] = [:]
    /// Links that ended in this turn. They live until it is over, as their collaborators, which know them unowned, may
    /// still be at work.
    private var ended: [BlueZLink] = []
    private var last: UInt64 = 0
    /// Devices whose link ended so recently that `Connect` is not to be called yet, with the number of that end.
    private var clearing: [String: UInt64] = [:]
    private var lastEnd: UInt64 = 0

    subscript(device: String) -> BlueZLink? { links[device] }

    var all: Dictionary<String, BlueZLink>.Values { links.values }

    /// The link of a name, unless it is gone.
    subscript(name: BlueZLink.Name) -> BlueZLink? {
        guard let link = links[name.path], link.name.number == name.number else { return nil }
        return link
    }

    func link(to peripheral: PeerIdentifier) -> BlueZLink? { links.values.first { $0.id == peripheral } }

    /// Makes a link, or an attempt at one.
    func add(_ peripheral: PeerIdentifier, _ device: String, isConnectedByOther: Bool) -> BlueZLink {
        last += 1
        let name = BlueZLink.Name(path: device, number: last)
        let link = BlueZLink(peripheral, name: name, isConnectedByOther: isConnectedByOther)
        links[device] = link
        return link
    }

    /// Removes a link, which lives until `release`.
    func remove(_ link: BlueZLink) {
        links[link.path] = nil
        ended.append(link)
    }

    func release() { ended = [] }

    // MARK: Ends

    /// Whether BlueZ may still be busy with the end of a device's last link.
    func isClearing(_ device: String) -> Bool { clearing[device] != nil }

    /// A device's link has ended; returns the number of that end.
    func beginClearing(_ device: String) -> UInt64 {
        lastEnd += 1
        clearing[device] = lastEnd
        return lastEnd
    }

    /// BlueZ has had its time for an end; returns whether it was the device's last one.
    func endClearing(_ device: String, _ end: UInt64) -> Bool {
        guard clearing[device] == end else { return false }
        clearing[device] = nil
        return true
    }
}
#endif
