// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
// The managers that notify on each characteristic: BlueZ takes all managers of a process for one client.
extension BlueZSession {
    /// Counts a manager that notifies on a characteristic; returns whether it is the first.
    func holdNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path, default: []].insert(number)
        return notifiers[path]?.count == 1
    }

    /// Removes a manager; returns whether it was the last.
    func releaseNotifier(_ path: String, _ number: UInt64) -> Bool {
        notifiers[path]?.remove(number)
        guard notifiers[path]?.isEmpty ?? true else { return false }
        notifiers[path] = nil
        return true
    }
}
#endif
