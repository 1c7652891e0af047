#if BlueZ && os(Linux)
/// Names one signal handler, for removing it.
package struct SignalHandlerID: Hashable, Sendable {
    let value: UInt64
}

/// Finds the handlers of a signal by its path.
struct SignalRouter {
    struct Handler {
        let id: SignalHandlerID
        let scope: PathScope
        let sender: String?
        let interface: String?
        let member: String?
        let body: (Message) -> Void
    }

    private var byPath: [String: [Handler]] = [:]
    private var byNamespace: [String: [Handler]] = [:]
    private var everywhere: [Handler] = []
    private var scopes: [SignalHandlerID: PathScope] = [:]
    private var nextID: UInt64 = 1
    var spoofed = 0
    var unrouted = 0

    mutating func newID() -> SignalHandlerID {
        defer { nextID += 1 }
        return SignalHandlerID(value: nextID)
    }

    mutating func add(_ handler: Handler) {
        scopes[handler.id] = handler.scope
        switch handler.scope {
        case .path(let path): byPath[path, default: []].append(handler)
        case .namespace(let path): byNamespace[path, default: []].append(handler)
        case .all: everywhere.append(handler)
        }
    }

    mutating func remove(_ id: SignalHandlerID) {
        switch scopes.removeValue(forKey: id) {
        case .path(let path): Self.remove(id, from: &byPath, at: path)
        case .namespace(let path): Self.remove(id, from: &byNamespace, at: path)
        case .all: everywhere.removeAll { $0.id == id }
        case nil: break
        }
    }

    mutating func removeAll() {
        byPath = [:]
        byNamespace = [:]
        everywhere = []
        scopes = [:]
    }

    func contains(_ id: SignalHandlerID) -> Bool { scopes[id] != nil }

    /// The handlers whose scope holds the path, in the order they were added.
    func handlers(for path: String) -> [Handler] {
        var found = byPath[path] ?? []
        let single = byNamespace.isEmpty && everywhere.isEmpty
        if single { return found }
        found += everywhere
        if !byNamespace.isEmpty {
            var prefix = path[...]
            while true {
                if let handlers = byNamespace[prefix.isEmpty ? "/" : String(prefix)] { found += handlers }
                guard prefix.count > 1, let slash = prefix.lastIndex(of: "/") else { break }
                prefix = prefix[..<slash]
                if prefix.isEmpty {
                    if let handlers = byNamespace["/"] { found += handlers }
                    break
                }
            }
        }
        if found.count > 1 { found.sort { $0.id.value < $1.id.value } }
        return found
    }

    private static func remove(_ id: SignalHandlerID, from table: inout [String: [Handler]], at path: String) {
        table[path]?.removeAll { $0.id == id }
        if table[path]?.isEmpty == true { table[path] = nil }
    }
}
#endif
