// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The managers that notify on each characteristic: BlueZ takes all managers of a process for one client.
struct NotifyingManagers {
    /// By the characteristic's path.
    private var managers: [String: Set<UInt64>] = [:]

    /// The characteristics on which a manager notifies.
    var paths: [String] { Array(managers.keys) }

    /// Adds a manager to those of a characteristic; returns whether it is the first.
    mutating func add(_ manager: UInt64, on path: String) -> Bool {
        managers[path, default: []].insert(manager)
        return managers[path]?.count == 1
    }

    /// Removes a manager; returns whether none is left.
    mutating func remove(_ manager: UInt64, from path: String) -> Bool {
        managers[path]?.remove(manager)
        guard managers[path]?.isEmpty ?? true else { return false }
        managers[path] = nil
        return true
    }
}
#endif
