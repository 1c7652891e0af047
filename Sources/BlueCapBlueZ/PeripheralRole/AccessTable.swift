// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The daemon's reads and writes that wait for the manager's answer.
struct AccessTable {
    /// An access.
    struct Entry {
        /// The call to be answered; nil for a write that came over a socket.
        var call: MethodCall?
        /// The device object of the central.
        var device: String?
        var isRead: Bool
    }

    private var entries: [AccessID: Entry] = [:]
    private var last: UInt64 = 0

    mutating func add(_ entry: Entry) -> AccessID {
        last += 1
        let id = AccessID(rawValue: last)
        entries[id] = entry
        return id
    }

    mutating func take(_ id: AccessID) -> Entry? { entries.removeValue(forKey: id) }

    /// Removes the accesses that a central no longer waits for, in the order of coming.
    mutating func take(of device: String) -> [AccessID] {
        let gone = entries.filter { $0.value.device == device }.map(\.key).sorted { $0.rawValue < $1.rawValue }
        for id in gone { entries[id] = nil }
        return gone
    }

    /// Releases everything; calls without an answer are answered with an error by themselves.
    mutating func drop() { entries = [:] }
}
#endif
