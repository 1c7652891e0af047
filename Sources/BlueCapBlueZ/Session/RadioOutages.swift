// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The adapters that were without power at some time since the last discovery on them, as far as this process has seen:
/// they were off, were not there, or their daemon was not.
struct RadioOutages {
    /// By path.
    private var adapters: Set<String> = []
    /// Whether the next objects that are read are those of a daemon that came while this process was there.
    private var isDaemonNew = false

    func contains(_ adapter: String) -> Bool { adapters.contains(adapter) }

    /// A discovery is about to begin on an adapter.
    mutating func end(_ adapter: String) { adapters.remove(adapter) }

    /// There is no daemon.
    mutating func daemonLeft() { isDaemonNew = true }

    /// The objects of a daemon were read. An adapter that is on already when this process comes has no outage.
    mutating func daemonCame(with tree: ObjectMirror) {
        for path in tree.paths(with: BlueZInterface.adapter)
        where isDaemonNew || tree[path, BlueZInterface.adapter]?[Adapter1.powered] != true {
            adapters.insert(path)
        }
        isDaemonNew = false
    }

    /// Something has changed in the mirror.
    mutating func note(_ change: TreeChange) {
        guard change.interface == BlueZInterface.adapter else { return }
        switch change {
        case .added(let path, _): adapters.insert(path)
        case .changed(let path, _, let set, _): if set[Adapter1.powered] == false { adapters.insert(path) }
        // An adapter that is plugged in again is added again.
        case .removed(let path, _, _): adapters.remove(path)
        }
    }
}
#endif
