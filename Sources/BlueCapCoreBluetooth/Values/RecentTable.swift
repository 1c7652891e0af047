// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// A table of limited size, which forgets the entry that was used least recently.
struct RecentTable<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var turn: UInt64
    }

    private struct Use {
        let key: Key
        let turn: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    /// The uses of entries, oldest first; a use that is not an entry's last one counts for nothing.
    private var uses = RingBuffer<Use>()
    private var turn: UInt64 = 0

    /// Creates a table without entries.
    ///
    /// - Parameter limit: The number of entries that are kept.
    init(limit: Int) { self.limit = limit }

    /// The number of entries.
    var count: Int { entries.count }

    /// The values, in no order.
    var values: [Value] { entries.values.map(\.value) }

    /// Returns the value of a key, which counts as a use; nil if there is none.
    mutating func use(_ key: Key) -> Value? {
        guard let value = entries[key]?.value else { return nil }
        set(value, for: key)
        return value
    }

    /// Sets the value of a key, which counts as a use.
    mutating func set(_ value: Value, for key: Key) {
        turn += 1
        entries[key] = Entry(value: value, turn: turn)
        uses.append(Use(key: key, turn: turn))
        while entries.count > limit, let use = uses.popFirst() {
            if entries[use.key]?.turn == use.turn { entries[use.key] = nil }
        }
        if uses.count > 4 * limit { compact() }
    }

    /// Removes the value of a key, and returns it; nil if there is none.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? { entries.removeValue(forKey: key)?.value }

    /// Removes all entries.
    mutating func removeAll() {
        entries = [:]
        uses = RingBuffer()
    }

    /// Removes the uses that count for nothing.
    private mutating func compact() {
        let kept = entries.map { Use(key: $0.key, turn: $0.value.turn) }.sorted { $0.turn < $1.turn }
        uses = RingBuffer()
        for use in kept { uses.append(use) }
    }
}
