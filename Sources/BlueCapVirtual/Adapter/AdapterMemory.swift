// SPDX-License-Identifier: MIT

import BlueCapCore

/// An adapter's memory of peripherals: the newest sighting and the found part of each database.
struct AdapterMemory {
    /// How many peripherals are remembered; those with a link or a bond are kept whatever their number.
    static let maximumCount = 1024

    // A class, so that a packet changes it where it stands.
    private final class Entry {
        var known: KnownPeripheral?
        var view: DatabaseView?
        var lastUse: UInt64 = 0
    }

    private var entries: [PeerIdentifier: Entry] = [:]
    private var useCount: UInt64 = 0

    func known(_ identifier: PeerIdentifier) -> KnownPeripheral? { entries[identifier]?.known }

    /// The found part of a peripheral's database.
    func view(of identifier: PeerIdentifier) -> DatabaseView? { entries[identifier]?.view }

    /// Changes the sightings of a peripheral, which are empty before the first time.
    mutating func change(_ identifier: PeerIdentifier, _ body: (inout KnownPeripheral) -> Void) {
        body(&use(identifier).known[default: identifier])
    }

    mutating func set(_ view: DatabaseView, of identifier: PeerIdentifier) { use(identifier).view = view }

    private mutating func use(_ identifier: PeerIdentifier) -> Entry {
        useCount += 1
        let entry = entries[identifier] ?? Entry()
        if entry.lastUse == 0 { entries[identifier] = entry }
        entry.lastUse = useCount
        return entry
    }

    /// Whether there is more than is to be kept.
    var isFull: Bool { entries.count > Self.maximumCount }

    /// Forgets the peripherals that were not seen or used for longest, some at once.
    ///
    /// - Returns: The forgotten peripherals.
    mutating func forgetOldest(but kept: Set<PeerIdentifier>) -> [PeerIdentifier] {
        let candidates = entries.filter { !kept.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
        let forgotten = candidates.prefix(entries.count - Self.maximumCount + Self.maximumCount / 16).map(\.key)
        for identifier in forgotten { entries[identifier] = nil }
        return forgotten
    }
}

extension KnownPeripheral? {
    /// The peripheral; without one, a peripheral of which only the identifier is known.
    fileprivate subscript(default identifier: PeerIdentifier) -> KnownPeripheral {
        get { self ?? KnownPeripheral(id: identifier) }
        set { self = newValue }
    }
}
