// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
// Who has which characteristic notify: BlueZ takes all managers of a process for one client.
extension BlueZSession {
    /// Counts a manager that has a characteristic notify; whether it is the first.
    func holdNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path, default: []].insert(number)
        return notifiers[path]?.count == 1
    }

    /// Whether the manager was the last.
    func releaseNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path]?.remove(number)
        guard notifiers[path]?.isEmpty ?? true else { return false }
        notifiers[path] = nil
        return true
    }
}
#endif
