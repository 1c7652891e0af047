// SPDX-License-Identifier: MIT

/// A dictionary whose entries are linked in the order in which they were last put, so that the oldest is found at once.
struct RecencyTable<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var older: Key?
        var newer: Key?
    }
    private var entries: [Key: Entry] = [:]
    private var oldestKey: Key?
    private var newestKey: Key?

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var values: [Value] { entries.values.map(\.value) }
    var oldest: (key: Key, value: Value)? {
        oldestKey.flatMap { key in entries[key].map { (key, $0.value) } }
    }

    subscript(key: Key) -> Value? { entries[key]?.value }

    /// Adds an entry as the newest, in place of an earlier one with its key.
    mutating func put(_ value: Value, for key: Key) {
        remove(key)
        entries[key] = Entry(value: value, older: newestKey, newer: nil)
        if let newestKey { entries[newestKey]?.newer = key } else { oldestKey = key }
        newestKey = key
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldestKey = entry.newer }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newestKey = entry.older }
        return entry.value
    }
}
