// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Numbers paths, and finds a path's number by its UTF-8 bytes, wherever these stand, at the cost of one hash of them.
/// Numbers are small; the number of a removed path is given out again.
package struct PathIndex: Sendable {
    private struct Entry: Sendable {
        let path: String
        let hash: UInt64
    }

    /// By number.
    private var entries: [Entry?] = []
    private var unused: [Int] = []
    /// Numbers at the places that the hashes of their paths say, or behind these where others stand there; a power of
    /// two of places, of which at least half are free.
    private var places = [Int](repeating: Self.free, count: 16)
    private static let free = -1

    package init() {}

    package var count: Int { entries.count - unused.count }

    /// The number of a path; nil for one that has none.
    package func number(of path: Span<UInt8>) -> Int? {
        var place = start(of: Self.hash(path))
        while places[place] != Self.free {
            if let entry = entries[places[place]], path.isEqual(to: entry.path.utf8Span.span) { return places[place] }
            place = after(place)
        }
        return nil
    }

    /// The path of a number; nil for one that no path has.
    package func path(of number: Int) -> String? { entries.indices.contains(number) ? entries[number]?.path : nil }

    /// The number of a path, which gets one if it has none.
    package mutating func add(_ path: String) -> Int {
        if let number = number(of: path.utf8Span.span) { return number }
        if (count + 1) * 2 > places.count { grow() }
        let entry = Entry(path: path, hash: Self.hash(path.utf8Span.span))
        let number: Int
        if let last = unused.popLast() {
            number = last
            entries[number] = entry
        } else {
            number = entries.count
            entries.append(entry)
        }
        put(number, hash: entry.hash)
        return number
    }

    package mutating func remove(_ path: Span<UInt8>) {
        guard let number = number(of: path), let entry = entries[number] else { return }
        var place = start(of: entry.hash)
        while places[place] != number { place = after(place) }
        places[place] = Self.free
        entries[number] = nil
        unused.append(number)
        // The paths behind it may stand there because of it.
        place = after(place)
        while places[place] != Self.free {
            let moved = places[place]
            places[place] = Self.free
            if let entry = entries[moved] { put(moved, hash: entry.hash) }
            place = after(place)
        }
    }

    private mutating func put(_ number: Int, hash: UInt64) {
        var place = start(of: hash)
        while places[place] != Self.free { place = after(place) }
        places[place] = number
    }

    private mutating func grow() {
        places = [Int](repeating: Self.free, count: places.count * 2)
        for (number, entry) in entries.enumerated() { if let entry { put(number, hash: entry.hash) } }
    }

    private func start(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (places.count - 1) }

    private func after(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    // MARK: Hashing

    /// Different in each process, so that no program can choose paths that collide.
    private static let seed = UInt64.random(in: .min ... .max)

    /// Mixes eight bytes at a time.
    private static func hash(_ path: Span<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(path.count)
        var offset = 0
        while path.count - offset >= 8 {
            let word = unsafe path.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mixed(hash ^ word)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < path.count {
            rest = rest << 8 | UInt64(path[offset])
            offset += 1
        }
        return mixed(hash ^ rest)
    }

    /// Spreads every bit over all of them.
    private static func mixed(_ value: UInt64) -> UInt64 {
        let (high, low) = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return high ^ low
    }
}
#endif
