// SPDX-License-Identifier: MIT

/// A dictionary that is gone through in the order in which its keys came.
///
/// A manager's records, scans, waiters and listeners are kept in these, so that what it does to several of them, it does in
/// the same order in every run: a plain dictionary's order changes from one instance to the next.
package struct OrderedTable<Key: Hashable, Value>: ExpressibleByDictionaryLiteral {
    private var slots: [Key: Int] = [:]
    /// The entries in the order of their keys' coming; nil where one was taken out.
    private var entries: [(key: Key, value: Value)?] = []

    package init() {}

    package init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    package var count: Int { slots.count }

    package var isEmpty: Bool { slots.isEmpty }

    package var keys: [Key] { entries.compactMap { $0?.key } }

    package var values: [Value] { entries.compactMap { $0?.value } }

    package subscript(key: Key) -> Value? {
        get { slots[key].flatMap { entries[$0]?.value } }
        _modify {
            let slot = slots[key]
            var value: Value?
            if let slot {
                value = entries[slot]?.value
                // The entry lets go of its value meanwhile, so that a change is made in place.
                entries[slot] = nil
            }
            defer { put(value, for: key, in: slot) }
            yield &value
        }
    }

    private mutating func put(_ value: Value?, for key: Key, in slot: Int?) {
        switch (slot, value) {
        case (let slot?, let value?):
            entries[slot] = (key, value)
        case (nil, let value?):
            slots[key] = entries.count
            entries.append((key, value))
        case (_?, nil):
            slots[key] = nil
            compactIfSparse()
        case (nil, nil):
            break
        }
    }

    /// Calls `body` with each value, in the order of the keys.
    package func forEachValue(_ body: (Value) throws -> Void) rethrows {
        for entry in entries { if let entry { try body(entry.value) } }
    }

    @discardableResult
    package mutating func removeValue(forKey key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        defer {
            entries[slot] = nil
            compactIfSparse()
        }
        return entries[slot]?.value
    }

    package mutating func removeAll() { self = Self() }

    package func filter(_ isIncluded: ((key: Key, value: Value)) throws -> Bool) rethrows -> Self {
        var result = Self()
        for case let entry? in entries where try isIncluded(entry) { result[entry.key] = entry.value }
        return result
    }

    /// Closes the gaps when they are more than the entries.
    private mutating func compactIfSparse() {
        guard entries.count > 8, entries.count > 2 * slots.count else { return }
        entries.removeAll { $0 == nil }
        for (slot, entry) in entries.enumerated() {
            if let entry { slots[entry.key] = slot }
        }
    }
}

extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}

extension OrderedTable: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
        entries.lazy.compactMap { $0 }.makeIterator()
    }
}
