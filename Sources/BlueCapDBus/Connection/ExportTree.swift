// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The objects of one connection by path.
struct ExportTree {
    private(set) var objects: [String: [ExportedInterface]] = [:]
    private(set) var managers: Set<String> = []
    /// The handlers that answer all calls to an object.
    var handlers: [String: (MethodCall) -> Void] = [:]

    mutating func add(_ interfaces: [ExportedInterface], at path: String) {
        var all = objects[path] ?? []
        for interface in interfaces {
            all.removeAll { $0.name == interface.name }
            all.append(interface)
        }
        objects[path] = all
    }

    /// Removes the named interfaces, or all, and gives the names that were there.
    mutating func remove(_ names: [String]?, at path: String) -> [String] {
        guard let all = objects[path] else { return [] }
        let gone = all.filter { names?.contains($0.name) ?? true }.map(\.name)
        let left = all.filter { !gone.contains($0.name) }
        objects[path] = left.isEmpty ? nil : left
        return gone
    }

    mutating func addManager(at path: String) { managers.insert(path) }

    mutating func removeManager(at path: String) { managers.remove(path) }

    func interface(_ name: String, at path: String) -> ExportedInterface? { objects[path]?.first { $0.name == name } }

    /// The object managers that report on the path.
    func managers(above path: String) -> [String] { managers.filter { Self.isBelow(path, $0) }.sorted() }

    /// `a{oa{sa{sv}}}`: every object below the path.
    func managed(below root: String) -> DBusValue {
        let paths = objects.keys.filter { Self.isBelow($0, root) }.sorted()
        return .dictionary(
            DBusDictionary(
                keySignature: "o", valueSignature: "a{sa{sv}}",
                entries: paths.map { path in
                    .init(key: .objectPath(path), value: Self.describe(objects[path] ?? []))
                }))
    }

    /// `a{sa{sv}}`: interfaces with their properties.
    static func describe(_ interfaces: [ExportedInterface]) -> DBusValue {
        .dictionary(
            DBusDictionary(
                keySignature: "s", valueSignature: "a{sv}",
                entries: interfaces.map { .init(key: .string($0.name), value: .properties($0.values)) }))
    }

    /// The next path elements below a path that lead to objects.
    func children(of path: String) -> [String] {
        let prefix = path == "/" ? "/" : path + "/"
        var names: Set<String> = []
        for object in Array(objects.keys) + managers where Self.isBelow(object, path) {
            let rest = object.dropFirst(prefix.count)
            names.insert(String(rest.prefix { $0 != "/" }))
        }
        return names.sorted()
    }

    func isKnown(_ path: String) -> Bool {
        objects[path] != nil || managers.contains(path) || !children(of: path).isEmpty
    }

    private static func isBelow(_ path: String, _ root: String) -> Bool {
        root == "/" ? path != "/" : path.hasPrefix(root + "/")
    }
}
#endif
