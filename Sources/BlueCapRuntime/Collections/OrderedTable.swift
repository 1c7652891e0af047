// SPDX-License-Identifier: MIT

/// A dictionary that iterates in the order in which its keys were added.
///
/// A manager keeps its records, scans, waiters and listeners in ordered tables, so that it acts on several of them in
/// the same order in every run. The order of a plain dictionary changes from one instance to the next.
@_documentation(visibility: internal)
public struct OrderedTable<Key: Hashable, Value>: ExpressibleByDictionaryLiteral {
    @usableFromInline var slots: [Key: Int] = [:]
    /// The entries in the order in which their keys were added; nil where an entry was removed.
    @usableFromInline var entries: [(key: Key, value: Value)?] = []

    /// Creates an empty table.
    @inlinable
    public init() {}

    /// Creates a table with the pairs of a dictionary literal, in their order.
    @inlinable
    public init(dictionaryLiteral elements: (Key, Value)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// The number of entries.
    @inlinable
    public var count: Int { slots.count }

    /// A Boolean value that is true if the table has no entries.
    @inlinable
    public var isEmpty: Bool { slots.isEmpty }

    /// The keys, in the order in which they were added.
    @inlinable
    public var keys: [Key] { entries.compactMap { $0?.key } }

    /// The values, in the order in which their keys were added.
    @inlinable
    public var values: [Value] { entries.compactMap { $0?.value } }

    /// The value of a key; assigning nil removes the entry. A value that is replaced keeps its place.
    @inlinable
    public subscript(key: Key) -> Value? {
        get { slots[key].flatMap { entries[$0]?.value } }
        _modify {
            let slot = slots[key]
            var value: Value?
            if let slot {
                value = entries[slot]?.value
                // The entry releases its value meanwhile, so that a change is made in place.
                entries[slot] = nil
            }
            defer { put(value, for: key, in: slot) }
            yield &value
        }
    }

    @inlinable
    mutating func put(_ value: Value?, for key: Key, in slot: Int?) {
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
    ///
    /// - Throws: The error that `body` throws; later values are not visited.
    @inlinable
    public func forEachValue(_ body: (Value) throws -> Void) rethrows {
        for entry in entries { if let entry { try body(entry.value) } }
    }

    /// Removes an entry and returns its value; nil if there is none.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        guard let slot = slots.removeValue(forKey: key) else { return nil }
        defer {
            entries[slot] = nil
            compactIfSparse()
        }
        return entries[slot]?.value
    }

    /// Removes all entries.
    @inlinable
    public mutating func removeAll() { self = Self() }

    /// Returns a table with the entries that pass a test, in the same order.
    ///
    /// - Throws: The error that `isIncluded` throws.
    @inlinable
    public func filter(_ isIncluded: ((key: Key, value: Value)) throws -> Bool) rethrows -> Self {
        var result = Self()
        for case let entry? in entries where try isIncluded(entry) { result[entry.key] = entry.value }
        return result
    }

    /// Closes the gaps when they are more than the entries.
    @inlinable
    mutating func compactIfSparse() {
        guard entries.count > 8, entries.count > 2 * slots.count else { return }
        entries.removeAll { $0 == nil }
        for (slot, entry) in entries.enumerated() {
            if let entry { slots[entry.key] = slot }
        }
    }
}

extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}

extension OrderedTable: Sequence {
    /// Returns an iterator over the entries, in the order in which their keys were added.
    @inlinable
    public func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> {
        entries.lazy.compactMap { $0 }.makeIterator()
    }
}
