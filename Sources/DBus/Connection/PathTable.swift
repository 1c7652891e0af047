#if BlueZ && os(Linux)
/// Signal handlers by object path, found by a path's UTF-8 bytes, wherever these stand. The cost of a search does not grow with
/// what is in the table.
struct PathTable {
    private struct Entry {
        let path: [UInt8]
        var handlers: [SignalHandler]
    }

    private var entries: [Int: [Entry]] = [:]
    private var counts: [Int: Int] = [:]
    /// The lengths of the paths in the table, each once.
    private(set) var lengths: [Int] = []

    mutating func add(_ handler: SignalHandler, at path: [UInt8]) {
        let hash = Self.hash(path.span)
        if let index = index(of: path.span, hash: hash) {
            entries[hash]?[index].handlers.append(handler)
            return
        }
        entries[hash, default: []].append(Entry(path: path, handlers: [handler]))
        counts[path.count, default: 0] += 1
        if counts[path.count] == 1 { lengths.append(path.count) }
    }

    mutating func remove(_ id: SignalHandlerID, at path: [UInt8]) {
        let hash = Self.hash(path.span)
        guard let index = index(of: path.span, hash: hash) else { return }
        entries[hash]?[index].handlers.removeAll { $0.id == id }
        guard entries[hash]?[index].handlers.isEmpty == true else { return }
        entries[hash]?.remove(at: index)
        if entries[hash]?.isEmpty == true { entries[hash] = nil }
        counts[path.count, default: 1] -= 1
        guard counts[path.count] == 0 else { return }
        counts[path.count] = nil
        lengths.removeAll { $0 == path.count }
    }

    /// The handlers at exactly this path, in the order they were added.
    func handlers(at path: Span<UInt8>) -> [SignalHandler] {
        let hash = Self.hash(path)
        guard let index = index(of: path, hash: hash) else { return [] }
        return entries[hash]?[index].handlers ?? []
    }

    private func index(of path: Span<UInt8>, hash: Int) -> Int? {
        guard let candidates = entries[hash] else { return nil }
        for index in candidates.indices {
            let known = candidates[index].path
            if path.isEqual(to: known.span) { return index }
        }
        return nil
    }

    /// Different in each process, so that nobody can choose paths that fall together.
    private static func hash(_ path: Span<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe path.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
#endif
