// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Signal handlers by object path, found by a path's UTF-8 bytes, wherever these stand. The cost of a search does not
/// grow with the table. Loop only.
struct PathTable {
    private var index = PathIndex()
    /// By the numbers of their paths.
    private var handlers: [[SignalHandler]] = []
    private var counts: [Int: Int] = [:]
    /// The lengths of the paths in the table, each once.
    private(set) var lengths: [Int] = []

    mutating func add(_ handler: SignalHandler, at path: [UInt8]) {
        let number = index.add(String(decoding: path, as: UTF8.self))
        if number == handlers.count { handlers.append([]) }
        handlers[number].append(handler)
        guard handlers[number].count == 1 else { return }
        counts[path.count, default: 0] += 1
        if counts[path.count] == 1 { lengths.append(path.count) }
    }

    mutating func remove(_ id: SignalHandlerID, at path: [UInt8]) {
        guard let number = index.number(of: path.span) else { return }
        handlers[number].removeAll { $0.id == id }
        guard handlers[number].isEmpty else { return }
        index.remove(path.span)
        counts[path.count, default: 1] -= 1
        guard counts[path.count] == 0 else { return }
        counts[path.count] = nil
        lengths.removeAll { $0 == path.count }
    }

    /// The handlers at exactly this path, in the order they were added.
    func handlers(at path: Span<UInt8>) -> [SignalHandler] {
        guard lengths.contains(path.count), let number = index.number(of: path) else { return [] }
        return handlers[number]
    }
}
#endif
