// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The discoveries of this process, one on each adapter, and the adapters that were without power at some time since
/// the last one, as far as this process has seen: they were off, were not there, or their daemon was not.
struct Discoveries {
    /// By the adapter's path, as the outages.
    private var sessions: [String: DiscoverySession] = [:]
    private var outages: Set<String> = []
    /// Whether the next objects that are read are those of a daemon that came while this process was there.
    private var isDaemonNew = false

    subscript(adapter: String) -> DiscoverySession? { sessions[adapter] }

    mutating func add(_ discovery: DiscoverySession, on adapter: String) { sessions[adapter] = discovery }

    /// Ends all of them with their daemon.
    mutating func reset() {
        for discovery in sessions.values { discovery.reset() }
        sessions = [:]
    }

    // MARK: Outages

    func hadOutage(_ adapter: String) -> Bool { outages.contains(adapter) }

    /// A discovery is about to begin on an adapter.
    mutating func endOutage(of adapter: String) { outages.remove(adapter) }

    mutating func daemonLeft() { isDaemonNew = true }

    /// The objects of a daemon were read. An adapter that is on already when this process comes has no outage.
    mutating func daemonCame(with tree: ObjectMirror) {
        for path in tree.paths(with: BlueZInterface.adapter)
        where isDaemonNew || tree[path, BlueZInterface.adapter]?[Adapter1.powered] != true {
            outages.insert(path)
        }
        isDaemonNew = false
    }

    /// Something has changed in the mirror.
    mutating func treeChanged(_ change: TreeChange) {
        guard change.interface == BlueZInterface.adapter else { return }
        switch change {
        case .added(let path, _): outages.insert(path)
        case .changed(let path, _, let set, _): if set[Adapter1.powered] == false { outages.insert(path) }
        // An adapter that is plugged in again is added again.
        case .removed(let path, _, _): outages.remove(path)
        }
    }
}

extension BlueZSession {
    func discovery(on adapter: String) -> DiscoverySession {
        if let discovery = discoveries[adapter] { return discovery }
        // bluetoothd 5.87 crashes on the first advertisement that matches (bluez issue 2282), and no later release was
        // seen to be whole. An unknown version may be one of these.
        let isSafe = tree.version(ofAdapter: adapter).map { $0 < BlueZVersion(5, 87) }
        let discovery = DiscoverySession(session: self, adapter: adapter, canPassServices: isSafe ?? false)
        discoveries.add(discovery, on: adapter)
        return discovery
    }
}
#endif
